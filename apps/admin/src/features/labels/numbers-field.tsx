import { Button, TextInput } from '@mantine/core';
import { type SubmitEvent, useState } from 'react';
import classes from './labels.module.css';
import { formatRanges, parseRanges } from './number-ranges.js';

interface NumbersFieldProps {
  firstText: string;
  /** Receives numbers in the form of `parseRanges`. */
  onShow: (numbers: string) => void;
}

export function NumbersField({ firstText, onShow }: NumbersFieldProps) {
  const [text, setText] = useState(firstText);
  const [error, setError] = useState<string>();
  const show = (event: SubmitEvent) => {
    event.preventDefault();
    const ranges = parseRanges(text) ?? [];
    setError(ranges.length === 0 ? 'Enter numbers or ranges, for example 12, 15-20.' : undefined);
    if (ranges.length === 0) return;
    const numbers = formatRanges(ranges);
    // A scanner types the next code after this one.
    setText(`${numbers}, `);
    onShow(numbers);
  };
  return (
    <form className={classes.numbers} onSubmit={show} noValidate>
      <TextInput
        label="Animal numbers"
        description="For example 12, 15-20. You can also scan labels into this field."
        autoComplete="off"
        maxLength={4000}
        value={text}
        error={error}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <Button type="submit">Show labels</Button>
    </form>
  );
}
