const name = 'petstore.key';
/** What the device keeps in the place of a key that was refused: to keep nothing tells the other tabs of a sign-out. */
const refused = '';

export interface StoredKey {
  readonly key: string;
  /** On this device, for all its tabs that have no key of their own. */
  readonly isKept: boolean;
}

/** The key of this tab, else the one that the person chose to keep on this device. */
export function storedKey(): StoredKey | undefined {
  const own = attempt(() => sessionStorage.getItem(name));
  if (own) return { key: own, isKept: false };
  const kept = attempt(() => localStorage.getItem(name));
  return kept ? { key: kept, isKept: true } : undefined;
}

/** For the tab alone, unless it is to be kept on this device. What the device keeps is no business of the former. */
export function storeKey({ key, isKept }: StoredKey): void {
  if (!isKept) return attempt(() => sessionStorage.setItem(name, key));
  attempt(() => localStorage.setItem(name, key));
  attempt(() => sessionStorage.removeItem(name));
}

/** Takes away a key that the service refused, and no other one. */
export function forgetRefusedKey(key: string): void {
  attempt(() => sessionStorage.getItem(name) === key && sessionStorage.removeItem(name));
  attempt(() => localStorage.getItem(name) === key && localStorage.setItem(name, refused));
}

export function forgetKeptKey(): void {
  attempt(() => localStorage.removeItem(name));
  // Earlier versions of /docs stored a key here.
  attempt(() => localStorage.removeItem('authorized'));
}

/** The key of this tab, and whatever else it keeps, such as the draft of a form. */
export function clearTab(): void {
  attempt(() => sessionStorage.clear());
}

/** Calls back when another tab had the device keep another key, or none by signing out. */
export function onKeptKey(callback: (key: string | undefined) => void): void {
  addEventListener('storage', (event) => {
    if (event.key === name && event.newValue !== refused) callback(event.newValue ?? undefined);
  });
}

/** A browser that blocks storage throws; the key then lasts until the page is closed. */
function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
