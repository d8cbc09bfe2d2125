import { useRouter } from '@tanstack/react-router';
import { type MouseEvent, type ReactNode, useCallback } from 'react';
import classes from './pets.module.css';

/**
 * Reaches over the whole row or card that it stands in. A plain link: a hundred of the router's, each of which follows
 * every change of the address, would take longer than all else of their rows.
 */
export function PetLink({ id, children }: { id: bigint; children: ReactNode }) {
  const { history } = useRouter();
  const open = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      history.push(event.currentTarget.pathname);
    },
    [history],
  );
  return (
    <a href={`/pets/${id}`} className={classes.rowLink} onClick={open}>
      {children}
    </a>
  );
}
