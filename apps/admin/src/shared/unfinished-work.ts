const unfinished = new Set<string>();

/** Closing the tab warns while any work is unfinished, and signing out asks. */
export function setUnfinished(work: 'add' | 'import', isUnfinished: boolean): void {
  if (isUnfinished) unfinished.add(work);
  else unfinished.delete(work);
}

export function hasUnfinishedWork(): boolean {
  return unfinished.size > 0;
}

addEventListener('beforeunload', (event) => {
  if (hasUnfinishedWork()) event.preventDefault();
});
