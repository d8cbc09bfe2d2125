import { tryStorage } from './browser-storage.js';

const name = 'petstore.key';
/** Replaces a rejected key in localStorage: removing the item would sign out the other tabs. */
const rejected = '';

export interface StoredKey {
  readonly key: string;
  /** Whether localStorage holds the key, for every tab that has no other key. */
  readonly isShared: boolean;
}

/** The key of this tab, or else the one that the person chose to keep on the device. */
export function readKey(): StoredKey | undefined {
  const own = tryStorage(() => sessionStorage.getItem(name));
  if (own) return { key: own, isShared: false };
  const shared = tryStorage(() => localStorage.getItem(name));
  return shared ? { key: shared, isShared: true } : undefined;
}

export function writeKey({ key, isShared }: StoredKey): void {
  if (!isShared) return tryStorage(() => sessionStorage.setItem(name, key));
  tryStorage(() => localStorage.setItem(name, key));
  tryStorage(() => sessionStorage.removeItem(name));
}

export function removeRejectedKey(key: string): void {
  tryStorage(() => sessionStorage.getItem(name) === key && sessionStorage.removeItem(name));
  tryStorage(() => localStorage.getItem(name) === key && localStorage.setItem(name, rejected));
}

export function removeSharedKey(): void {
  tryStorage(() => localStorage.removeItem(name));
  // Earlier versions of /docs stored a key here.
  tryStorage(() => localStorage.removeItem('authorized'));
}

/** Removes the key of this tab, and everything else that it keeps, such as the draft of a form. */
export function clearTab(): void {
  tryStorage(() => sessionStorage.clear());
}

/** Calls back when another tab stores a shared key, or signs out (`undefined`). */
export function onSharedKeyChange(callback: (key: string | undefined) => void): void {
  addEventListener('storage', (event) => {
    if (event.key === name && event.newValue !== rejected) callback(event.newValue ?? undefined);
  });
}
