import { type MouseEvent, type ReactNode, useRef } from 'react';
import { isTextField } from '../../shared/scanner.js';

/** The usual time and place of a double click. */
const repeatMs = 500;
const repeatPixels = 40;

/**
 * Ignores the second click of a double click, and the second tap of a double tap: the first one may have moved something
 * else under the pointer. A field still selects the word.
 */
export function SingleClicks({ children }: { children: ReactNode }) {
  const last = useRef<MouseEvent>(undefined);
  const ignoreSecond = (event: MouseEvent) => {
    const { detail, timeStamp, clientX, clientY } = event;
    // The keyboard caused this click.
    if (detail === 0) return;
    const { timeStamp: before = -Infinity, clientX: x = 0, clientY: y = 0 } = last.current ?? {};
    last.current = event;
    // Phones and iPads do not count taps. The click that a label causes in its field is of the same time.
    const isNear =
      timeStamp > before && timeStamp - before < repeatMs && Math.hypot(clientX - x, clientY - y) < repeatPixels;
    if (detail === 1 && !isNear) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // The first click may have moved the focus to a field.
  const keepFocus = (event: MouseEvent) => {
    if (event.detail > 1 && !isTextField(event.target)) event.preventDefault();
  };
  // A person who types between two clicks means both.
  const forget = () => {
    last.current = undefined;
  };
  return (
    <div onClickCapture={ignoreSecond} onInputCapture={forget} onMouseDownCapture={keepFocus}>
      {children}
    </div>
  );
}
