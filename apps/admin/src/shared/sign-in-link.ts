import { petstoreClient } from './petstore.js';
import { signIn } from './session.js';

/** Signs in by a link that carries a key behind the "#", which browsers send to nobody, and takes it out of the address. */
export function followKeysInAddress(): void {
  takeKey();
  addEventListener('hashchange', takeKey);
}

function takeKey(): void {
  const given = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (given === undefined) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  const key = decoded(given);
  if (isKey(key)) signIn(key, false);
}

/** Whether it can be sent at all; the service judges it with the first request. */
function isKey(text: string): boolean {
  try {
    return petstoreClient(text) instanceof Object;
  } catch {
    return false;
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text;
  }
}
