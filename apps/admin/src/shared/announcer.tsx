import { useSyncExternalStore } from 'react';
import classes from './shared.module.css';

let message = '';
const listeners = new Set<() => void>();

/** Has screen readers say what changed on the page, without moving the focus. */
export function announce(text: string): void {
  message = text;
  for (const callback of listeners) callback();
}

/** The live region; it has to be on the page before anything is said. */
export function Announcer() {
  const text = useSyncExternalStore(onMessage, () => message);
  return (
    <div role="status" className={classes.hidden}>
      {text}
    </div>
  );
}

function onMessage(callback: () => void): () => void {
  listeners.add(callback);
  return () => listeners.delete(callback);
}
