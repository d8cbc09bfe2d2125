import { Alert } from '@mantine/core';
import type { FormErrors } from '@mantine/form';
import { AlertIcon } from '../../shared/icons.js';
import classes from './pets.module.css';

interface ErrorSummaryProps {
  errors: FormErrors;
  onSelect: (field: string) => void;
}

/** All errors of the form. Each one moves the focus to its field. */
export function ErrorSummary({ errors, onSelect }: ErrorSummaryProps) {
  const entries = Object.entries(errors);
  if (entries.length === 0) return null;
  const title = entries.length === 1 ? 'There is 1 problem' : `There are ${entries.length} problems`;
  return (
    <Alert color="red" icon={<AlertIcon />} title={title}>
      <ul className={classes.errors}>
        {entries.map(([field, error]) => (
          <li key={field}>
            <button type="button" onClick={() => onSelect(field)}>
              {error}
            </button>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
