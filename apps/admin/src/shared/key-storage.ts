const name = 'petstore.key';

/** The key of this tab, else the one that the person chose to keep on this device. */
export function storedKey(): string | undefined {
  return attempt(() => sessionStorage.getItem(name) ?? localStorage.getItem(name)) ?? undefined;
}

/** For the tab alone, unless it is to be kept on this device. */
export function storeKey(key: string, isKept: boolean): void {
  forgetKey();
  attempt(() => (isKept ? localStorage : sessionStorage).setItem(name, key));
}

export function forgetKey(): void {
  attempt(() => sessionStorage.removeItem(name));
  attempt(() => localStorage.removeItem(name));
}

/** The key, and whatever else this tab keeps, such as the draft of a form. */
export function forgetAll(): void {
  forgetKey();
  attempt(() => sessionStorage.clear());
}

/** Calls back when another tab forgot the key that was kept on this device. */
export function onKeyForgotten(callback: () => void): void {
  addEventListener('storage', (event) => {
    if (event.key === name && event.newValue === null && storedKey() === undefined) callback();
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
