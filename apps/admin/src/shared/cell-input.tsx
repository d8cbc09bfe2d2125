import { TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';

/** The ends of lines, also those that word processors and old systems write. */
export const lineBreak = /\r\n?|[\n\v\f\u0085\u2028\u2029]/;
const separator = new RegExp(`\\t|${lineBreak.source}`);

interface CellInputProps extends TextInputProps {
  ref?: Ref<HTMLInputElement> | undefined;
  /** Receives the text of several cells. Without it, the field asks for one. */
  onCells?: (text: string) => void;
}

/** Replaces the selection, as typing does. */
function insert(input: HTMLInputElement | null, text: string): void {
  input?.setRangeText(text, input.selectionStart ?? 0, input.selectionEnd ?? 0, 'end');
  input?.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

/** A text field that takes one cell of a spreadsheet: browsers join several ones, and several lines, to one text. */
export function CellInput({ ref, onCells, error, ...props }: CellInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isRefused, setIsRefused] = useState(false);
  const check = useEffectEvent((event: InputEvent) => {
    const text = event.data ?? '';
    // `trim` keeps U+0085.
    const cell = text.replaceAll('\u0085', '\n').trim();
    const hasCells = separator.test(cell);
    if (separator.test(text)) event.preventDefault();
    if (hasCells && onCells) onCells(text);
    else setIsRefused(hasCells);
    if (!hasCells && event.defaultPrevented) insert(input.current, cell);
  });
  // React does not have this event, which a paste, a drop, and the clipboard of a phone's keyboard cause.
  useEffect(() => {
    const element = input.current;
    const listen = (event: InputEvent) => check(event);
    element?.addEventListener('beforeinput', listen);
    return () => element?.removeEventListener('beforeinput', listen);
  }, []);
  return <TextInput ref={useMergedRef(ref, input)} error={isRefused ? 'Paste one cell' : error} {...props} />;
}
