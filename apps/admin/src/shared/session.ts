import { useSyncExternalStore } from 'react';
import { clearTab, readKey, removeRejectedKey, removeSharedKey, type StoredKey, writeKey } from './key-storage.js';
import { onTabMessage, sendToTabs } from './session-channel.js';

export interface Session extends StoredKey {
  /** Whether the key came with a sign-in link: the person could not choose how long to stay signed in. */
  readonly isFromLink?: boolean;
  /** Why the service rejected the key. */
  readonly rejection?: Error;
}

/** The time that other tabs have to send their key. A tab that answers later still signs this one in. */
const tabAnswerMs = 150;

const listeners = new Set<() => void>();
let session: Session | undefined = readKey();
/** Whether the service has accepted the key, or the person has used the page: they may have begun work. */
let hasBegun = false;
let signInError: Error | undefined;
addEventListener('keydown', noteUse);
addEventListener('pointerdown', noteUse);
onTabMessage((message) => {
  if (message.type === 'signed-out') endSession();
  else if (message.type === 'signed-in') followOtherTab(message.stored);
  else if (session && !session.rejection)
    sendToTabs({ type: 'signed-in', stored: { key: session.key, isShared: false } });
});

export function currentSession(): Session | undefined {
  return session;
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** Why the service rejected a stored key or the key of a link, before the person had begun anything. */
export function useSignInError(): Error | undefined {
  return useSyncExternalStore(onSessionChange, () => signInError);
}

/** Returns the function that unsubscribes. */
export function onSessionChange(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

/** Signs in with the key of another open tab, if this one has no key. */
export function joinOtherTabs(): Promise<void> {
  if (session) return Promise.resolve();
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
export function signIn(stored: StoredKey, { isFromLink = false } = {}): void {
  start(stored, isFromLink);
  sendToTabs({ type: 'signed-in', stored });
}

/** Keeps the key on the device after all tabs are closed, or no longer. */
export function keepSignedIn(isShared: boolean): void {
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
  if (session?.key === key) hasBegun = true;
}

/** Does nothing if the session has another key by now. Other tabs are not affected. */
export function rejectKey(key: string, rejection: Error): void {
  if (session?.key !== key || session.rejection) return;
  removeRejectedKey(key);
  if (hasBegun) return setSession({ ...session, rejection });
  signInError = rejection;
  setSession(undefined);
}

function noteUse(): void {
  if (session) hasBegun = true;
}

/** A tab that has another key keeps it. */
function followOtherTab(stored: StoredKey): void {
  const isSame = session?.key === stored.key || (session?.isShared && stored.isShared);
  if (!session || session.rejection || isSame) start(stored);
}

function start({ key, isShared }: StoredKey, isFromLink = false): void {
  writeKey({ key, isShared });
  signInError = undefined;
  setSession({ key, isShared, isFromLink });
}

function endSession(): void {
  clearTab();
  hasBegun = false;
  signInError = undefined;
  setSession(undefined);
}

function setSession(next: Session | undefined): void {
  session = next;
  for (const callback of listeners) callback();
}
