/** Blocked or full storage throws. The page then works, but keeps nothing over a reload. */
export function tryStorage<T>(access: () => T): T | undefined {
  try {
    return access();
  } catch {
    return undefined;
  }
}

/** An object that this tab keeps across reloads. Empty if nothing is stored. */
export function readTabState<T extends object>(name: string): Partial<T> {
  return tryStorage(() => JSON.parse(sessionStorage.getItem(name) ?? '{}') as Partial<T>) ?? {};
}

export function writeTabState(name: string, value: object): void {
  tryStorage(() => sessionStorage.setItem(name, JSON.stringify(value)));
}

export function removeTabState(name: string): void {
  tryStorage(() => sessionStorage.removeItem(name));
}
