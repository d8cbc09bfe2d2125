import { Box } from '@mantine/core';
import { type Pet, type PetStatus, trimName } from '@petstore/contracts';
import { type CSSProperties, Fragment, type ReactNode } from 'react';
import { categoryName } from './filter-search.js';
import { statusLabels } from './format.js';
import { CheckIcon } from './icons.js';
import { PetLink, type PetLinkProps } from './links.js';
import { type CategoryNames, useCategoryNames } from './store-info.js';
import classes from './pet-parts.module.css';

/** A link needs something to click. Marks alone have no width. */
const isVisible = (name: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(trimName(name));

/**
 * A name may contain any characters. `bdi` keeps right-to-left ones from changing the text around it. A browser that
 * translates the page must not change the name.
 */
export function PetName({ name }: { name: string }) {
  if (!isVisible(name)) return <i className="note">(invisible name)</i>;
  return (
    <bdi className={classes.name} title={name} translate="no">
      {name}
    </bdi>
  );
}

/** The name as plain text, isolated by Unicode characters. */
export function plainName(name: string): string {
  return isVisible(name) ? `\u2068${name}\u2069` : 'Animal';
}

/** "Rabbits", or "category 7" */
export function CategoryName({ id }: { id: bigint }) {
  const { names } = useCategoryNames();
  const name = names.get(id) ?? `category ${id}`;
  return <bdi title={name}>{name}</bdi>;
}

/** A word on its color. */
export function StatusBadge({ status }: { status: PetStatus }) {
  return (
    <span className={classes.status} data-status={status}>
      {statusLabels[status]}
    </span>
  );
}

interface PetLinesProps {
  pets: readonly Pet[];
  /** Those that the person has just added. */
  marked?: ReadonlySet<bigint>;
  /** Properties of the links. */
  link?: Partial<PetLinkProps>;
}

/** Animals in compact rows. */
export function PetLines({ pets, marked, link }: PetLinesProps) {
  const { names } = useCategoryNames();
  return (
    <ul className={classes.lines}>
      {pets.map(({ id, name, categoryId, status }) => (
        <li key={String(id)}>
          <span className="note">{String(id)}</span>
          <PetLink id={id} className="plainLink" {...link}>
            <PetName name={name} />
            {marked?.has(id) && (
              <Box
                component="span"
                role="img"
                aria-label="Just added"
                display="flex"
                c="var(--mantine-primary-color-filled)"
              >
                <CheckIcon />
              </Box>
            )}
          </PetLink>
          <bdi className="note" title={categoryName(categoryId, names)}>
            {categoryName(categoryId, names)}
          </bdi>
          <StatusBadge status={status} />
        </li>
      ))}
    </ul>
  );
}

/** The columns, in this order. A field that is added to the contracts does not compile until it is here. */
export const headings: Record<keyof Pet, string> = {
  id: 'Number',
  name: 'Name',
  categoryId: 'Category',
  status: 'Status',
};
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
  className = '',
  fields = allFields,
  numberHeading,
  customCells,
  ...table
}: PetTableProps) {
  const { names } = useCategoryNames();
  return (
    <table className={`${classes.table} ${className}`} {...table}>
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
