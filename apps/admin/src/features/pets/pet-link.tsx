import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import classes from './pets.module.css';

/** Reaches over the whole row or card that it stands in. */
export function PetLink({ id, children }: { id: bigint; children: ReactNode }) {
  return (
    <Link to="/pets/$petId" params={{ petId: String(id) }} className={classes.rowLink} preload={false}>
      {children}
    </Link>
  );
}
