import { tryStorage } from './browser-storage.js';

const name = 'petstore.key';

export interface StoredKey {
  readonly key: string;
  /** Whether this device keeps the key after all tabs are closed. */
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
  tryStorage(() => localStorage.getItem(name) === key && localStorage.removeItem(name));
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
