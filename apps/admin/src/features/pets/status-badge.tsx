import type { PetStatus } from '@petstore/contracts';
import classes from './pets.module.css';

export const statusLabels: Record<PetStatus, string> = { available: 'Available', pending: 'Pending', sold: 'Sold' };

/** A word and a coloured dot. */
export function StatusBadge({ status }: { status: PetStatus }) {
  return (
    <span className={classes.status} data-status={status}>
      {statusLabels[status]}
    </span>
  );
}
