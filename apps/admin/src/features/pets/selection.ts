import { useCallback, useSyncExternalStore } from 'react';
import { currentSession, onSessionChange } from '../../shared/session.js';

/** The numbers of the selected animals. */
export type Selection = ReadonlySet<bigint>;

/** It stays while the person opens other pages. `undefined` unless they select. */
let selection: Selection | undefined;
const listeners = new Set<() => void>();

onSessionChange(() => {
  if (!currentSession()) setSelection(undefined);
});

/** `undefined` ends the selection. */
export function setSelection(next: Selection | undefined): void {
  selection = next;
  for (const listener of listeners) listener();
}

export function select(ids: readonly bigint[], isSelected: boolean): void {
  const next = new Set(selection);
  for (const id of ids) {
    if (isSelected) next.add(id);
    else next.delete(id);
  }
  setSelection(next);
}

export function useSelection(): Selection | undefined {
  return useSyncExternalStore(subscribe, () => selection);
}

/** Unlike `useSelection`, these two do not render a hundred rows when one is selected. */
export function useIsSelecting(): boolean {
  return useSyncExternalStore(subscribe, () => selection !== undefined);
}

export function useIsSelected(id: bigint): boolean {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => selection?.has(id) ?? false, [id]),
  );
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
