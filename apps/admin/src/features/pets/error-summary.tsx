import { Alert } from '@mantine/core';
import { AlertIcon } from '../../shared/icons.js';
import classes from './pets.module.css';

interface FaultSummaryProps {
  faults: readonly { field: string; fault: string; choose: () => void }[];
}

/** All that is wrong in the form, each leading to its field. */
export function FaultSummary({ faults }: FaultSummaryProps) {
  if (faults.length === 0) return null;
  const title = faults.length === 1 ? 'One field needs a change' : `${faults.length} fields need a change`;
  return (
    <Alert color="red" variant="light" role="alert" icon={<AlertIcon />} title={title}>
      <ul className={classes.faults}>
        {faults.map(({ field, fault, choose }) => (
          <li key={field}>
            <button type="button" onClick={choose}>
              {fault}
            </button>
          </li>
        ))}
      </ul>
    </Alert>
  );
}
