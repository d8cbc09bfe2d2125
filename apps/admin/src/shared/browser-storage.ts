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

/** An object that this device keeps for all tabs and visits. Empty if nothing is stored. */
export function readDeviceState(name: string): Record<string, unknown> {
  return tryStorage(() => JSON.parse(localStorage.getItem(name) ?? '{}') as Record<string, unknown>) ?? {};
}

export function writeDeviceState(name: string, value: object): void {
  tryStorage(() => localStorage.setItem(name, JSON.stringify(value)));
}

/** The key of the import that IndexedDB has. */
export const importStorageName = 'import';
