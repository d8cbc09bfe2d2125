import { useSyncExternalStore } from 'react';
import {
  clearTab,
  forgetKeptKey,
  forgetRefusedKey,
  onKeptKey,
  type StoredKey,
  storedKey,
  storeKey,
} from './key-storage.js';

/** Who is signed in. `refusal` is what the service said when it stopped taking the key. */
export interface Session extends StoredKey {
  readonly refusal?: string;
}

const listeners = new Set<() => void>();
let session: Session | undefined = storedKey();
onKeptKey(follow);

export function currentSession(): Session | undefined {
  return session;
}

export function useSession(): Session | undefined {
  return useSyncExternalStore(onSession, currentSession);
}

/** Calls back after each change; returns how to stop that. */
export function onSession(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}

/** `isKept`: on this device, beyond the tab. */
export function signIn(key: string, isKept: boolean): void {
  storeKey({ key, isKept });
  change({ key, isKept });
}

/** Here, and in all tabs that share the key of the device. */
export function signOut(): void {
  forgetKeptKey();
  leave();
}

/** The service refused a key. It says nothing about another one that was given meanwhile, nor about other tabs. */
export function refuseKey(key: string, refusal: string): void {
  if (session?.key !== key || session.refusal !== undefined) return;
  forgetRefusedKey(key);
  change({ ...session, refusal });
}

/** What another tab did with the key of the device, as long as this one has no key of its own. */
function follow(key: string | undefined): void {
  if (session?.isKept === false) return;
  if (key === undefined) leave();
  else if (session) change({ key, isKept: true });
}

function leave(): void {
  clearTab();
  change(undefined);
}

function change(next: Session | undefined): void {
  session = next;
  for (const callback of listeners) callback();
}
