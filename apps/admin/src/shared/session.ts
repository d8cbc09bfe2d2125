import { useSyncExternalStore } from 'react';
import {
  clearTab,
  onSharedKeyChange,
  readKey,
  removeRejectedKey,
  removeSharedKey,
  type StoredKey,
  writeKey,
} from './key-storage.js';

export interface Session extends StoredKey {
  /** Why the service rejected the key. */
  readonly rejection?: Error;
}

const listeners = new Set<() => void>();
let session: Session | undefined = readKey();
onSharedKeyChange(followOtherTab);

export function currentSession(): Session | undefined {
  return session;
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSessionChange, currentSession);
}

/** Returns the function that unsubscribes. */
export function onSessionChange(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

export function signIn(stored: StoredKey): void {
  writeKey(stored);
  setSession(stored);
}

/** Signs out this tab and all tabs that use the shared key. */
export function signOut(): void {
  removeSharedKey();
  endSession();
}

/** Does nothing if the session has another key by now. Other tabs are not affected. */
export function rejectKey(key: string, rejection: Error): void {
  if (session?.key !== key || session.rejection) return;
  removeRejectedKey(key);
  setSession({ ...session, rejection });
}

/** A tab that has another key ignores the shared one. */
function followOtherTab(key: string | undefined): void {
  if (session?.isShared === false) return;
  if (key === undefined) endSession();
  else if (session) setSession({ key, isShared: true });
}

function endSession(): void {
  clearTab();
  setSession(undefined);
}

function setSession(next: Session | undefined): void {
  session = next;
  for (const callback of listeners) callback();
}
