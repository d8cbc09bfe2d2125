import { useId } from 'react';
import classes from './shared.module.css';

interface SelectProps<T extends string> {
  label: string;
  options: readonly { value: T; label: string }[];
  value: T;
  onChange: (value: T) => void;
}

/** A choice beside its label: the browser's own, which every device knows how to show. */
export function Select<T extends string>({ label, options, value, onChange }: SelectProps<T>) {
  const id = useId();
  return (
    <span className={classes.select}>
      <label htmlFor={id}>{label}</label>
      <select id={id} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value as T)}>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </span>
  );
}
