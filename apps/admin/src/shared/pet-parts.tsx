import type { Pet, PetStatus } from '@petstore/contracts';
import { statusLabels } from './format.js';
import { CheckIcon } from './icons.js';
import { PetLink } from './links.js';
import { type CategoryNames, useCategoryNames } from './store-info.js';
import classes from './pet-parts.module.css';

const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/**
 * A name may contain any characters. `bdi` keeps right-to-left ones from changing the text around it. A browser that
 * translates the page must not change the name.
 */
export function PetName({ name }: { name: string }) {
  if (!visible.test(name)) return <span className={classes.invisible}>(invisible name)</span>;
  return (
    <bdi className={classes.name} translate="no">
      {name}
    </bdi>
  );
}

/** The name as plain text, isolated by Unicode characters. */
export function plainName(name: string): string {
  return visible.test(name) ? `\u2068${name}\u2069` : 'Animal';
}

/** The name of a category, or its number if it has no name. */
export function CategoryText({ id, names }: { id: bigint; names: CategoryNames }) {
  return <bdi>{names.get(id) ?? String(id)}</bdi>;
}

/** "Rabbits", or "category 7" */
export function CategoryName({ id }: { id: bigint }) {
  const { names } = useCategoryNames();
  return <bdi>{names.get(id) ?? `category ${id}`}</bdi>;
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
}

/** Animals in compact rows. */
export function PetLines({ pets, marked }: PetLinesProps) {
  const { names } = useCategoryNames();
  return (
    <ul className={classes.lines}>
      {pets.map(({ id, name, categoryId, status }) => (
        <li key={String(id)}>
          <span>{String(id)}</span>
          <PetLink id={id} className="plainLink">
            <PetName name={name} />
            {marked?.has(id) && (
              <span role="img" aria-label="Just added">
                <CheckIcon />
              </span>
            )}
          </PetLink>
          <bdi>{names.get(categoryId) ?? `Category ${categoryId}`}</bdi>
          <StatusBadge status={status} />
        </li>
      ))}
    </ul>
  );
}
