import { isApiKey } from './client.js';
import { currentSession, signIn } from './session.js';

const replaceQuestion =
  "You're signed in with another key. Replace it with the key of this link? Choose Cancel if you did not expect this.";

/** Signs in with the key of a link (`#key=…`) and removes it from the address. Browsers never send a fragment. */
export function followSignInLinks(): void {
  signInFromHash();
  addEventListener('hashchange', signInFromHash);
}

function signInFromHash(): void {
  const encoded = /^#key=(.+)$/.exec(location.hash)?.[1];
  if (encoded === undefined) return;
  history.replaceState(history.state, '', location.pathname + location.search);
  const key = decode(encoded);
  const session = currentSession();
  // The person is signed in with this key, and may have chosen to stay so.
  if (session?.key === key && !session.rejection) return;
  // A page of another site may have the link.
  if (session && !session.rejection && !confirm(replaceQuestion)) return;
  if (isApiKey(key)) signIn({ key, isShared: false }, { isFromLink: true });
}

/** A key that was pasted without encoding may contain a lone "%". */
function decode(text: string): string {
  try {
    return decodeURIComponent(text).trim();
  } catch {
    return text;
  }
}
