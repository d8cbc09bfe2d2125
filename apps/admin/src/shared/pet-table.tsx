import type { Pet } from '@petstore/contracts';
import { type CSSProperties, Fragment, type ReactNode } from 'react';
import { statusLabels } from './format.js';
import classes from './pet-table.module.css';
import { type CategoryNames, useCategoryNames } from './store-info.js';

/** The columns, in this order. A field that is added to the contracts does not compile until it is here. */
const headings: Record<keyof Pet, string> = { id: 'Number', name: 'Name', categoryId: 'Category', status: 'Status' };
const allFields = Object.keys(headings) as (keyof Pet)[];

/** What a cell shows, as text. */
function cellsOf({ id, name, categoryId, status }: Pet, names: CategoryNames): Record<keyof Pet, ReactNode> {
  return {
    id: String(id),
    name: <bdi translate="no">{name}</bdi>,
    categoryId: <bdi>{names.get(categoryId) ?? String(categoryId)}</bdi>,
    status: statusLabels[status],
  };
}

interface PetTableProps {
  pets: readonly Pet[];
  className?: string | undefined;
  style?: CSSProperties;
  /** Default: all. */
  fields?: readonly (keyof Pet)[];
  /** In place of the heading of the numbers. */
  numberHeading?: ReactNode;
  /** In place of the text of some fields. */
  customCells?: (pet: Pet) => Partial<Record<keyof Pet, ReactNode>>;
}

/** Animals, one per row. Their names are the headings of the rows. */
export function PetTable({
  pets,
  className = classes.table,
  fields = allFields,
  numberHeading,
  customCells,
  ...table
}: PetTableProps) {
  const { names } = useCategoryNames();
  return (
    <table className={className} {...table}>
      <thead>
        <tr>
          {fields.map((field) => (
            <Fragment key={field}>
              {(field === 'id' && numberHeading) || <th scope="col">{headings[field]}</th>}
            </Fragment>
          ))}
        </tr>
      </thead>
      <tbody>
        {pets.map((pet) => {
          const cells = { ...cellsOf(pet, names), ...customCells?.(pet) };
          return (
            <tr key={String(pet.id)}>
              {fields.map((field) =>
                field === 'name' ? (
                  <th key={field} scope="row">
                    {cells[field]}
                  </th>
                ) : (
                  <td key={field}>{cells[field]}</td>
                ),
              )}
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}
