import { type PetStatus, trimName } from '@petstore/contracts';
import { createElement, Fragment } from 'react';
import { splitByMatch } from './filter-search.js';
import { statusLabels } from './format.js';
import { useCategoryNames } from './store-info.js';
import classes from './pet-parts.module.css';

/** A link needs something to click. Marks alone have no width. */
const isVisible = (name: string) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(trimName(name));

/**
 * A name may contain any characters. `bdi` keeps right-to-left ones from changing the text around it. A browser that
 * translates the page must not change the name.
 */
export function PetName({ name, words }: MarkedNameProps) {
  if (!isVisible(name)) return <i className="note">(invisible name)</i>;
  return (
    <bdi className={classes.name} title={name} translate="no">
      <MarkedName name={name} words={words} />
    </bdi>
  );
}

interface MarkedNameProps {
  name: string;
  /** The words of a search. */
  words?: string | undefined;
}

function MarkedName({ name, words }: MarkedNameProps) {
  if (words === undefined) return name;
  // Every second part is a match. The parts of a text have no other identity than their position.
  const parts = splitByMatch(name, words).map((part, index) =>
    index % 2 === 1 ? createElement('mark', { className: classes.match }, part) : part,
  );
  return createElement(Fragment, {}, ...parts);
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
