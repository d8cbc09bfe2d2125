import { type KeyboardEvent, useRef } from 'react';
import { parseLabelAddress } from './pet-id.js';

/** A person takes longer. */
const maxMsPerKey = 50;
const minCharacters = 4;
/** A longer pause begins another text. */
const pauseMs = 300;

/** Handles keys of a text field: Tab after a label, or after a text that only a scanner types so fast, acts like Enter. */
export function useScannerTab(submit: (field: HTMLInputElement) => void) {
  const burst = useRef({ start: 0, last: 0, length: 0 });
  return (event: KeyboardEvent<HTMLInputElement>) => {
    const { key, shiftKey, timeStamp, currentTarget } = event;
    const { start, last, length } = burst.current;
    const continues = timeStamp - last < pauseMs;
    if (key.length === 1) {
      burst.current = { start: continues ? start : timeStamp, last: timeStamp, length: continues ? length + 1 : 1 };
    }
    if (key !== 'Tab' || shiftKey) return;
    burst.current = { start: 0, last: 0, length: 0 };
    const isFast = continues && length >= minCharacters && (timeStamp - start) / length <= maxMsPerKey;
    if (!isFast && parseLabelAddress(currentTarget.value) === undefined) return;
    event.preventDefault();
    submit(currentTarget);
  };
}
