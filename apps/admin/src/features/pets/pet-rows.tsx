import { useMediaQuery } from '@mantine/hooks';
import type { Pet } from '@petstore/contracts';
import { useRouter } from '@tanstack/react-router';
import { memo, type MouseEvent, useCallback } from 'react';
import { PetName } from './pet-name.js';
import classes from './pets.module.css';
import { StatusBadge } from './status-badge.js';

interface PetRowsProps {
  pets: readonly Pet[];
}

/** A table, or cards on a narrow screen. */
export const PetRows = memo(function PetRows({ pets }: PetRowsProps) {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  return isWide ? <Table pets={pets} /> : <Cards pets={pets} />;
});

function Table({ pets }: PetRowsProps) {
  return (
    <table className={`panel ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col" className={classes.number}>
            Number
          </th>
          <th scope="col">Name</th>
          <th scope="col" className={classes.number}>
            Category
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {pets.map((pet) => (
          <tr key={String(pet.id)}>
            <td className={classes.number}>{String(pet.id)}</td>
            <th scope="row">
              <PetLink pet={pet} />
            </th>
            <td className={classes.number}>{String(pet.categoryId)}</td>
            <td>
              <StatusBadge status={pet.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards({ pets }: PetRowsProps) {
  return (
    <ul className={`panel ${classes.cards}`}>
      {pets.map((pet) => (
        <li key={String(pet.id)}>
          <PetLink pet={pet} />
          <StatusBadge status={pet.status} />
          <p>
            <span>Number {String(pet.id)}</span> <span>Category {String(pet.categoryId)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
}

/**
 * Covers the whole row. A plain link, because each router link follows every change of the address: a hundred of them
 * take longer than everything else in their rows.
 */
function PetLink({ pet }: { pet: Pet }) {
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
    <a href={`/pets/${pet.id}`} data-row className={classes.rowLink} onClick={open}>
      <PetName name={pet.name} />
    </a>
  );
}
