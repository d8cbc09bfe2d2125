import type { PetStatus } from '@petstore/contracts';
import { statusLabels } from '../../shared/status-labels.js';
import classes from './pets.module.css';

/** A word and a colored dot. */
export function StatusBadge({ status }: { status: PetStatus }) {
  return (
    <span className={classes.status} data-status={status}>
      {statusLabels[status]}
    </span>
  );
}
