import { type MouseEvent, type ReactNode, useRef } from 'react';

/** The usual time and place of a double click. */
const repeatMs = 500;
const repeatPixels = 40;

const noClick = { timeStamp: -Infinity, clientX: 0, clientY: 0 };

/**
 * Ignores the second click of a double click, and the second tap of a double tap: the first one may have moved something
 * else under the pointer. A field still selects the word.
 */
export function SingleClicks({ children }: { children: ReactNode }) {
  const last = useRef(noClick);
  const ignoreSecond = (event: MouseEvent) => {
    const { detail, timeStamp, clientX, clientY } = event;
    // A key.
    if (detail === 0) return;
    const passed = timeStamp - last.current.timeStamp;
    const distance = Math.hypot(clientX - last.current.clientX, clientY - last.current.clientY);
    last.current = { timeStamp, clientX, clientY };
    // Phones and iPads do not count taps. The click that a label causes in its field is of the same time.
    const isRepeated = detail > 1 || (passed > 0 && passed < repeatMs && distance < repeatPixels);
    if (!isRepeated) return;
    event.preventDefault();
    event.stopPropagation();
  };
  // A person who types between two clicks means both.
  const forget = () => {
    last.current = noClick;
  };
  return (
    <div onClickCapture={ignoreSecond} onInputCapture={forget}>
      {children}
    </div>
  );
}
