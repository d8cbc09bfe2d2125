import type { Pet } from '@petstore/contracts';
import { memo } from 'react';
import { PetLink } from './pet-link.js';
import { PetName } from './pet-name.js';
import classes from './pets.module.css';
import { StatusMark } from './status-mark.js';

/** The table's rows, for a narrow screen. */
export const PetCards = memo(function PetCards({ pets }: { pets: readonly Pet[] }) {
  return (
    <ul className={classes.cards}>
      {pets.map((pet) => (
        <li key={String(pet.id)} className={classes.card}>
          <div className={classes.cardName}>
            <PetLink id={pet.id}>
              <PetName name={pet.name} />
            </PetLink>
            <StatusMark status={pet.status} />
          </div>
          <p className={classes.cardFacts}>
            <span>Number {String(pet.id)}</span> <span>Category {String(pet.categoryId)}</span>
          </p>
        </li>
      ))}
    </ul>
  );
});
