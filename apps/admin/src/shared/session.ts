import { useSyncExternalStore } from 'react';
import { forgetAll, forgetKey, onKeyForgotten, storedKey, storeKey } from './key-storage.js';

/** Who is signed in. `refusal` is what the service said when it stopped taking the key. */
export interface Session {
  readonly key: string;
  readonly refusal?: string;
}

const listeners = new Set<() => void>();
let session = begin(storedKey());
onKeyForgotten(signOut);

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
  storeKey(key, isKept);
  change(begin(key));
}

export function signOut(): void {
  forgetAll();
  change(undefined);
}

/** The service refused a key. It says nothing about another one that was given meanwhile. */
export function refuseKey(key: string, refusal: string): void {
  if (session?.key !== key || session.refusal !== undefined) return;
  forgetKey();
  change({ key, refusal });
}

function begin(key: string | undefined): Session | undefined {
  return key === undefined ? undefined : { key };
}

function change(next: Session | undefined): void {
  session = next;
  for (const callback of listeners) callback();
}
