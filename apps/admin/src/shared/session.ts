import { removeBearer, signInLink } from '@petstore/contracts';
import { createStore, useSelector } from '@tanstack/react-store';
import { del } from 'idb-keyval';
import { importStorageName, tryStorage } from './browser-storage.js';
import { isApiKey } from './client.js';

export interface StoredKey {
  readonly key: string;
  /** Whether this device keeps the key after the tab is closed. */
  readonly isShared: boolean;
}

export interface Session extends StoredKey {
  /** Whether the key was in the path of a sign-in link: servers have seen it, and may have stored it. */
  readonly wasExposed?: boolean;
  readonly rejection?: Error;
}

interface SessionState {
  readonly session: Session | undefined;
  /** Why the service rejected a stored key or the key of a link, before it had accepted it. */
  readonly signInError: Error | undefined;
}

/** In the storage of the tab, or in that of the device if the person chose to stay signed in. */
const storageName = 'petstore.key';
/** A sign-out changes it, which signs out the other tabs. The page of the API documentation listens too. */
const signOutName = 'petstore.signed-out';

const store = createStore<SessionState>({ session: readKey(), signInError: undefined });
/** Whether the service has accepted the key: the person may have begun work. */
let isAccepted = false;

addEventListener('storage', ({ key }) => {
  if (key === signOutName) endSession();
});

export function currentSession(): Session | undefined {
  return store.state.session;
}

export function useSession(): Session | undefined {
  return useSelector(store, ({ session }) => session);
}

export function useSignInError(): Error | undefined {
  return useSelector(store, ({ signInError }) => signInError);
}

/** Returns the function that unsubscribes. */
export function onSessionChange(callback: () => void): () => void {
  return store.subscribe(callback).unsubscribe;
}

/** Keeps the key in this tab, or on the device. */
export function signIn({ key, isShared }: StoredKey, wasExposed = false): void {
  // The key of this tab. Another tab may have kept its own key on the device.
  removeKey((stored) => !stored.isShared);
  tryStorage(() => storageOf(isShared).setItem(storageName, key));
  setState({ session: { key, isShared, ...(wasExposed && { wasExposed }) }, signInError: undefined });
}

/** Keeps the key of the session on the device, or in this tab only. */
export function keepSignedIn(isShared: boolean): void {
  const session = currentSession();
  if (!session) return;
  removeKey();
  signIn({ key: session.key, isShared }, session.wasExposed);
}

/** Signs out all open tabs. */
export function signOut(): void {
  endSession();
  tryStorage(() => localStorage.setItem(signOutName, String(Date.now())));
}

/** Call it when the service has accepted the key. */
export function acceptKey(key: string): void {
  if (currentSession()?.key === key) isAccepted = true;
}

/** Does nothing if the session has another key by now. */
export function rejectKey(key: string, rejection: Error): void {
  const session = currentSession();
  if (session?.key !== key || session.rejection) return;
  removeKey((stored) => stored.key === key);
  if (isAccepted) setState({ session: { ...session, rejection }, signInError: undefined });
  else setState({ session: undefined, signInError: rejection });
}

function endSession(): void {
  removeKey();
  // This also removes everything else that the tab keeps, such as the draft of a form.
  tryStorage(() => sessionStorage.clear());
  isAccepted = false;
  setState({ session: undefined, signInError: undefined });
  // Last: an import that is running stops when the state changes, and stores nothing after that.
  tryStorage(() => void del(importStorageName).catch(() => undefined));
}

function setState(next: SessionState): void {
  store.setState(() => next);
}

/** Returns the key of the tab, or else that of the device. */
function readKey(): StoredKey | undefined {
  return storedKeys()[0];
}

function storedKeys(): StoredKey[] {
  return [false, true].flatMap((isShared) => {
    const key = tryStorage(() => storageOf(isShared).getItem(storageName));
    return key ? { key, isShared } : [];
  });
}

function removeKey(isRemoved: (stored: StoredKey) => boolean = () => true): void {
  for (const stored of storedKeys().filter(isRemoved))
    tryStorage(() => storageOf(stored.isShared).removeItem(storageName));
}

function storageOf(isShared: boolean): Storage {
  return isShared ? localStorage : sessionStorage;
}

const replaceQuestion =
  "You're signed in with another key. Replace it with the key of this link? Choose Cancel if you did not expect this.";

/** Signs in with the key of a link and removes it from the address. Browsers never send a fragment (`#key=…`). */
export function followSignInLinks(): void {
  followSignInLink();
  addEventListener('hashchange', followSignInLink);
}

function followSignInLink(): void {
  const sent = location.pathname + location.search;
  const address = sent + location.hash;
  const link = signInLink.exec(address);
  if (!link) return;
  history.replaceState(history.state, '', address.slice(0, link.index));
  const wasExposed = signInLink.test(sent);
  const key = keyIn(address.slice(link.index + link[0].length), wasExposed);
  const session = currentSession();
  // The person is signed in with this key, and may have chosen to stay so.
  if (session?.key === key && !session.rejection) {
    if (wasExposed) setState({ session: { ...session, wasExposed }, signInError: undefined });
    return;
  }
  if (!isApiKey(key)) return;
  // A page of another site may have the link.
  if (session && !session.rejection && !confirm(replaceQuestion)) return;
  signIn({ key, isShared: false }, wasExposed);
}

/**
 * Removes what follows the key: mail programs take a "." or ")" into the link, and trackers add parameters. The end of a
 * generated key is known. Another key ends at "&" (in a key, write %26), and in a path at a query or fragment.
 */
function keyIn(text: string, isPath: boolean): string {
  const generated = /psk_[\w-]{43}(?![\w-])/.exec(decode(text))?.[0];
  return generated ?? removeBearer(decode(text.split(isPath ? /[&?#]/ : '&', 1)[0] ?? ''));
}

/** A key that was pasted without encoding may contain a lone "%". */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
