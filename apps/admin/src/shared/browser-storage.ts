/** What this tab keeps under a name, over reloads; an empty object when that is nothing. */
export function readTab(name: string): object {
  try {
    const value: unknown = JSON.parse(sessionStorage.getItem(name) ?? '{}');
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}

export function writeTab(name: string, value: object): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Full or blocked storage: the page works, but this does not outlast a reload.
  }
}

export function forgetTab(name: string): void {
  try {
    sessionStorage.removeItem(name);
  } catch {
    // Blocked storage: nothing was kept.
  }
}
