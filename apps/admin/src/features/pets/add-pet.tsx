import type { Pet } from '@petstore/contracts';
import { useSyncExternalStore } from 'react';
import { currentSession, onSession } from '../../shared/session.js';

/** How an add has ended. */
export type AddOutcome = { pet: Pet } | { name: string; error: unknown };

/** Tells the person, or returns `false` when it is not its to tell. */
type Teller = (outcome: AddOutcome) => boolean;

let form: Teller | undefined;
let untold: AddOutcome | undefined;
const listeners = new Set<() => void>();
onSession(() => {
  if (!currentSession()) leaveUntold(undefined);
});

/** By the form, if it is there; else it is left for whoever shows it, and for the form that comes next. */
export function tellOutcome(outcome: AddOutcome): void {
  leaveUntold(form?.(outcome) ? undefined : outcome);
}

/** Has a form tell, also what was left untold before; returns how to stop that. */
export function tellInForm(teller: Teller): () => void {
  form = teller;
  if (untold && teller(untold)) leaveUntold(undefined);
  return () => {
    form = undefined;
  };
}

/** What no form has told. */
export function useUntoldOutcome(): AddOutcome | undefined {
  return useSyncExternalStore(onUntold, () => untold);
}

export function forgetOutcome(): void {
  leaveUntold(undefined);
}

function leaveUntold(outcome: AddOutcome | undefined): void {
  untold = outcome;
  for (const callback of listeners) callback();
}

function onUntold(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}
