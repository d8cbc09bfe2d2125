import type { Pet } from '@petstore/contracts';
import type { ReactNode } from 'react';
import type { CategoryNames } from '../../shared/store-info.js';
import { CategoryText } from './category-text.js';
import { StatusBadge } from './status-badge.js';

interface PetCardProps {
  pet: Pet;
  names: CategoryNames;
  /** The link to the animal. */
  children: ReactNode;
}

/** An animal in a list of cards. */
export function PetCard({ pet: { id, categoryId, status }, names, children }: PetCardProps) {
  return (
    <li data-sold={status === 'sold' || undefined}>
      {children}
      <StatusBadge status={status} />
      <p>
        <span>Number {String(id)}</span>{' '}
        <span>
          {!names.has(categoryId) && 'Category '}
          <CategoryText id={categoryId} names={names} />
        </span>
      </p>
    </li>
  );
}
