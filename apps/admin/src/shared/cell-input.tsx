import { TextInput, type TextInputProps } from '@mantine/core';
import { useMergedRef } from '@mantine/hooks';
import { type Ref, useEffect, useEffectEvent, useRef, useState } from 'react';

interface CellInputProps extends TextInputProps {
  ref?: Ref<HTMLInputElement> | undefined;
  /** Receives the text of several cells. Without it, the field asks for one. */
  onCells?: (text: string) => void;
}

/** A text field that takes one cell of a spreadsheet: browsers join several ones, and several lines, to one text. */
export function CellInput({ ref, onCells, error, ...props }: CellInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isRefused, setIsRefused] = useState(false);
  const check = useEffectEvent((event: InputEvent) => {
    const text = event.data ?? '';
    const hasCells = /[\t\r\n]/.test(text.trim());
    if (hasCells) event.preventDefault();
    if (hasCells && onCells) onCells(text);
    else setIsRefused(hasCells);
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
