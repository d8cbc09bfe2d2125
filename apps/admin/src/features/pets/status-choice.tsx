import { type PetStatus, petStatuses } from '@petstore/contracts';
import classes from './pets.module.css';
import { statusLabels } from './status-mark.js';

interface StatusChoiceProps {
  value: PetStatus;
  onChange: (status: PetStatus) => void;
}

export function StatusChoice({ value, onChange }: StatusChoiceProps) {
  return (
    <fieldset className={classes.statusChoice}>
      <legend>Status</legend>
      {petStatuses.map((status) => (
        <label key={status}>
          <input
            type="radio"
            name="status"
            value={status}
            checked={status === value}
            onChange={() => onChange(status)}
          />
          {statusLabels[status]}
        </label>
      ))}
    </fieldset>
  );
}
