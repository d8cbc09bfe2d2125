import { useWindowEvent } from '@mantine/hooks';
import type { KeyboardEvent } from 'react';
import { parseLabelAddress } from './pet-id.js';

/** On average. A person takes longer. */
const maxMsPerKey = 50;
const minCharacters = 4;
/** A longer pause begins another text. */
const pauseMs = 300;

/** The characters that were typed last, on any page: navigation may happen in the middle of a code. */
let burst = { start: 0, last: 0, text: '', end: 0 };

addEventListener(
  'keydown',
  ({ key, timeStamp, repeat }) => {
    const continues = burst.end === 0 && timeStamp - burst.last < pauseMs;
    const { start, text } = continues ? burst : { start: timeStamp, text: '' };
    if (key.length === 1 && !repeat) burst = { start, last: timeStamp, text: text + key, end: 0 };
    else if ((key === 'Enter' || key === 'Tab') && continues) burst.end = timeStamp;
  },
  { capture: true },
);

/** Whether this Enter or Tab follows characters that only a scanner types so fast. */
export function endsScan({ timeStamp }: Pick<KeyboardEvent, 'timeStamp'>): boolean {
  const { start, text, end } = burst;
  return end === timeStamp && text.length >= minCharacters && (end - start) / text.length <= maxMsPerKey;
}

/** Handles keys of a text field: Tab after a label, or after a text of a scanner, acts like Enter. */
export function submitByTab(event: KeyboardEvent<HTMLInputElement>): void {
  const { key, shiftKey, currentTarget } = event;
  if (key !== 'Tab' || shiftKey) return;
  if (!endsScan(event) && parseLabelAddress(currentTarget.value) === undefined) return;
  event.preventDefault();
  currentTarget.form?.requestSubmit();
}

const textFields = 'input:not([type=checkbox], [type=radio]), textarea, [contenteditable]';

/** Whether keys are typed into the element. */
export function isTextField(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches(textFields);
}

/** Receives what a scanner has typed outside a text field. Its Enter does not reach the element that has the focus. */
export function useScannedText(onText: (text: string) => void): void {
  useWindowEvent(
    'keydown',
    (event) => {
      if (event.key !== 'Enter' || isTextField(event.target) || !endsScan(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onText(burst.text);
    },
    { capture: true },
  );
}
