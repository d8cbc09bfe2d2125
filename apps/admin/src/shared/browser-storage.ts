import type { Pet } from '@petstore/contracts';

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

export const draftStorageName = 'petstore.draft';

/** The next form of this tab starts with the category and status of this animal. A name that was begun stays. */
export function rememberDraftLike({ categoryId, status }: Pick<Pet, 'categoryId' | 'status'>): void {
  writeTabState(draftStorageName, { ...readTabState(draftStorageName), category: String(categoryId), status });
}

/** The key of the import that IndexedDB has. */
export const importStorageName = 'import';

const storageName = 'petstore.imported';

/** Keeps the numbers of the animals of an import in this tab, for the page of labels. */
export function rememberImportedPets(ids: readonly bigint[]): void {
  writeTabState(storageName, { numbers: ids.join(' ') });
}

/** The numbers, separated by spaces. Empty if there are none. */
export function readImportedPets(): string {
  return readTabState<{ numbers: string }>(storageName).numbers ?? '';
}

/**
 * Connects the open tabs of this browser. Returns the function that sends a message to the others. A browser without
 * channels, or one that blocks storage, sends nothing.
 */
export function connectTabs<Message>(name: string, onMessage: (message: Message) => void): (message: Message) => void {
  const channel = tryStorage(() => new BroadcastChannel(name));
  channel?.addEventListener('message', ({ data }: MessageEvent<Message>) => onMessage(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- A channel has no target: it connects one origin.
  return (message) => channel?.postMessage(message);
}
