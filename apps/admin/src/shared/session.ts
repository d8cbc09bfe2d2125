import { PetstoreApiError } from '@petstore/client';
import { removeBearer, signInLink } from '@petstore/contracts';
import { createStore, useSelector } from '@tanstack/react-store';
import { del } from 'idb-keyval';
import { connectTabs, importStorageName, readDeviceState, tryStorage, writeDeviceState } from './browser-storage.js';
import { isApiKey, keyFingerprint, toApiError, toApiFailure } from './client.js';

export interface StoredKey {
  readonly key: string;
  /** Whether this device keeps the key after all tabs are closed. */
  readonly isShared: boolean;
}

export interface Session extends StoredKey {
  /** Whether the key came with a sign-in link: the person could not choose how long to stay signed in. */
  readonly isFromLink?: boolean;
  /** Whether the key was in the path of that link: servers have seen it, and may have stored it. */
  readonly wasExposed?: boolean;
  /** Why the service rejected the key. */
  readonly rejection?: Error;
}

type LinkSession = Pick<Session, 'isFromLink' | 'wasExposed'>;

interface SessionState {
  readonly session: Session | undefined;
  /** Why the service rejected a stored key or the key of a link, before the person had begun anything. */
  readonly signInError: Error | undefined;
}

/** Messages between the open tabs. The page of the API documentation handles "signed-out" too. */
type TabMessage = { type: 'key-request' } | { type: 'signed-in'; stored: StoredKey } | { type: 'signed-out' };

const storageName = 'petstore.key';
/** When the key that was used last expires. */
const expiryName = 'petstore.key-expiry';
/** The time that other tabs have to send their key. A tab that answers later still signs this one in. */
const tabAnswerMs = 150;

const store = createStore<SessionState>({ session: readKey(), signInError: undefined });
/** Whether the service has accepted the key, or the person has used the page: they may have begun work. */
let hasBegun = false;
addEventListener('keydown', noteUse);
addEventListener('pointerdown', noteUse);

const sendToTabs = connectTabs<TabMessage>('petstore.session', (message) => {
  const session = currentSession();
  if (message.type === 'signed-out') endSession();
  else if (message.type === 'signed-in') followOtherTab(message.stored);
  else if (session && !session.rejection)
    sendToTabs({ type: 'signed-in', stored: { key: session.key, isShared: false } });
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

/** Signs in with the key of another open tab, if this one has no key. */
export function joinOtherTabs(): Promise<void> {
  if (currentSession()) return Promise.resolve();
  sendToTabs({ type: 'key-request' });
  return new Promise((resolve) => {
    const unsubscribe = onSessionChange(finish);
    setTimeout(finish, tabAnswerMs);
    function finish(): void {
      unsubscribe();
      resolve();
    }
  });
}

/** Signs in this tab, and the open tabs that need a key. */
export function signIn(stored: StoredKey, link: LinkSession = {}): void {
  start(stored, link);
  sendToTabs({ type: 'signed-in', stored });
}

/** Keeps the key on the device after all tabs are closed, or no longer. */
export function keepSignedIn(isShared: boolean): void {
  const session = currentSession();
  if (!session) return;
  if (!isShared) removeSharedKey();
  signIn({ key: session.key, isShared });
}

/** Signs out all open tabs. */
export function signOut(): void {
  removeSharedKey();
  sendToTabs({ type: 'signed-out' });
  endSession();
}

/** Call it when the service has accepted the key. */
export function acceptKey(key: string): void {
  if (currentSession()?.key === key) hasBegun = true;
}

/** Does nothing if the session has another key by now. Other tabs are not affected. */
export function rejectKey(key: string, rejection: Error): void {
  const session = currentSession();
  if (session?.key !== key || session.rejection) return;
  removeRejectedKey(key);
  const reason = explainRejection(key, rejection);
  if (hasBegun) setState({ session: { ...session, rejection: reason }, signInError: undefined });
  else setState({ session: undefined, signInError: reason });
}

/** Call it when the service has returned the time, an ISO date. `null` for a key that does not expire. */
export function noteExpiry(key: string, expiresAt: string | null): void {
  writeDeviceState(expiryName, { key: keyFingerprint(key), expiresAt });
}

/** The service rejects an expired key as it rejects an unknown one. This device may know the difference. */
export function explainRejection(key: string, rejection: Error): Error {
  const { key: fingerprint, expiresAt } = readDeviceState(expiryName);
  const isExpired = fingerprint === keyFingerprint(key) && Date.parse(String(expiresAt)) <= Date.now();
  if (!isExpired || !(rejection instanceof PetstoreApiError)) return rejection;
  return toApiError({ ...toApiFailure(rejection), code: 'expired_api_key' });
}

function noteUse(): void {
  if (currentSession()) hasBegun = true;
}

/** A tab that has another key keeps it. */
function followOtherTab(stored: StoredKey): void {
  const session = currentSession();
  const isSame = session?.key === stored.key || (session?.isShared && stored.isShared);
  if (!session || session.rejection || isSame) start(stored);
}

function start({ key, isShared }: StoredKey, link: LinkSession = {}): void {
  writeKey({ key, isShared });
  setState({ session: { key, isShared, ...link }, signInError: undefined });
}

function endSession(): void {
  // With everything else that the tab keeps, such as the draft of a form.
  tryStorage(() => sessionStorage.clear());
  hasBegun = false;
  setState({ session: undefined, signInError: undefined });
  // Last: an import that is running stops when the state changes, and stores nothing after that.
  tryStorage(() => void del(importStorageName).catch(() => undefined));
}

function setState(next: SessionState): void {
  store.setState(() => next);
}

/** The key of this tab, or else the one that the person chose to keep on the device. */
function readKey(): StoredKey | undefined {
  const own = tryStorage(() => sessionStorage.getItem(storageName));
  if (own) return { key: own, isShared: false };
  const shared = tryStorage(() => localStorage.getItem(storageName));
  return shared ? { key: shared, isShared: true } : undefined;
}

function writeKey({ key, isShared }: StoredKey): void {
  if (!isShared) return tryStorage(() => sessionStorage.setItem(storageName, key));
  tryStorage(() => localStorage.setItem(storageName, key));
  tryStorage(() => sessionStorage.removeItem(storageName));
}

function removeRejectedKey(key: string): void {
  tryStorage(() => sessionStorage.getItem(storageName) === key && sessionStorage.removeItem(storageName));
  tryStorage(() => localStorage.getItem(storageName) === key && localStorage.removeItem(storageName));
}

function removeSharedKey(): void {
  tryStorage(() => localStorage.removeItem(storageName));
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
  signIn({ key, isShared: false }, { isFromLink: true, wasExposed });
}

/**
 * Without what follows the key: mail programs take a "." or ")" into the link, and trackers add parameters. The end of a
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
