import { useMediaQuery } from '@mantine/hooks';
import type { Pet } from '@petstore/contracts';
import { useRouter } from '@tanstack/react-router';
import { memo, type MouseEvent, useCallback, useEffect, useRef, useState } from 'react';
import { type CategoryNames, useCategoryNames } from '../../shared/store-info.js';
import { CategoryText } from './category-text.js';
import { readLastList } from './last-list.js';
import { PetCard } from './pet-card.js';
import { PetName } from './pet-name.js';
import classes from './pets.module.css';
import { PetCheckbox } from './selection-bar.js';
import { useIsSelecting } from './selection.js';
import { StatusBadge } from './status-badge.js';

interface PetRowsProps {
  pets: readonly Pet[];
}

interface RowsProps extends PetRowsProps {
  names: CategoryNames;
  isSelecting: boolean;
}

/** A table, or cards on a narrow screen. */
export const PetRows = memo(function PetRows({ pets }: PetRowsProps) {
  const isWide = useMediaQuery('(min-width: 48em)', undefined, { getInitialValueInEffect: false });
  const Rows = isWide ? Table : Cards;
  return <Rows pets={pets} names={useCategoryNames().names} isSelecting={useIsSelecting()} />;
});

function Table({ pets, names, isSelecting }: RowsProps) {
  const Name = isSelecting ? PetCheckbox : PetLink;
  return (
    <table className={`panel ${classes.table}`}>
      <thead>
        <tr>
          <th scope="col">Number</th>
          <th scope="col">Name</th>
          <th scope="col">Category</th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {pets.map((pet) => (
          <tr key={String(pet.id)} data-sold={pet.status === 'sold' || undefined}>
            <td>{String(pet.id)}</td>
            <th scope="row">
              <Name pet={pet} />
            </th>
            <td>
              <CategoryText id={pet.categoryId} names={names} />
            </td>
            <td>
              <StatusBadge status={pet.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards({ pets, names, isSelecting }: RowsProps) {
  const Name = isSelecting ? PetCheckbox : PetLink;
  return (
    <ul className={`panel ${classes.cards}`}>
      {pets.map((pet) => (
        <PetCard key={String(pet.id)} pet={pet} names={names}>
          <Name pet={pet} />
        </PetCard>
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
  const path = `/pets/${pet.id}`;
  const open = useCallback(
    (event: MouseEvent<HTMLAnchorElement>) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
      event.preventDefault();
      history.push(event.currentTarget.pathname, { isFromList: true, list: readLastList() });
    },
    [history],
  );
  return (
    <a ref={useReturnFocus(path)} href={path} data-row className={classes.rowLink} onClick={open}>
      <PetName name={pet.name} />
    </a>
  );
}

/** Moves the focus to the row of the animal that the person comes back from. */
function useReturnFocus(path: string) {
  const ref = useRef<HTMLAnchorElement>(null);
  const { state } = useRouter();
  // While the list appears, the router still has the page that was left.
  const [isReturn] = useState(() => state.resolvedLocation?.pathname === path);
  useEffect(() => {
    if (isReturn) ref.current?.focus();
  }, [isReturn]);
  return ref;
}
