import type { Pet } from '@petstore/contracts';
import { memo } from 'react';
import { PetName } from './pet-name.js';
import { PetLink } from './pet-link.js';
import classes from './pets.module.css';
import { StatusMark } from './status-mark.js';

/** Each row is the link of its animal, by the name in it. */
export const PetTable = memo(function PetTable({ pets }: { pets: readonly Pet[] }) {
  return (
    <table className={classes.table}>
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
              <PetLink id={pet.id}>
                <PetName name={pet.name} />
              </PetLink>
            </th>
            <td className={classes.number}>{String(pet.categoryId)}</td>
            <td>
              <StatusMark status={pet.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
});
