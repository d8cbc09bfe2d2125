import { Skeleton, UnstyledButton } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { type CSSProperties, memo, type ReactNode } from 'react';
import { categoryName } from '../../shared/filter-search.js';
import { headings } from '../../shared/format.js';
import { ArrowDownIcon, ArrowUpIcon } from '../../shared/icons.js';
import { changeList } from '../../shared/list-search.js';
import { PetName, StatusBadge } from '../../shared/pet-parts.js';
import { useCategoryNames } from '../../shared/store-info.js';
import classes from './list.module.css';
import { PageCheckbox, PetCheckbox } from './selection.js';
import { useRowKeys } from './use-row-keys.js';

interface PetTableProps {
  /** `undefined` while they load. */
  pets: readonly Pet[] | undefined;
  words: string | undefined;
  pageSize: number;
}

/** Animals, one per row: cards on a narrow screen. While they load, the headings stay, and keep the focus. */
export const PetTable = memo(function PetTable({ pets, words, pageSize }: PetTableProps) {
  const digits = pets ? Math.max(...pets.map(({ id }) => String(id).length)) : 4;
  return (
    // The column of the numbers is as wide as the longest one.
    <table className={classes.table} style={{ '--digits': digits } as CSSProperties}>
      <thead>
        <tr>
          <th>
            <PageCheckbox pets={pets ?? []} />
          </th>
          {fields.map((field) =>
            field === 'id' ? (
              <NumberHeading key={field} />
            ) : (
              <th key={field} scope="col">
                {headings[field]}
              </th>
            ),
          )}
        </tr>
      </thead>
      {pets ? <PetRows pets={pets} words={words} /> : <LoadingRows count={Math.min(pageSize, maxLoadingRows)} />}
    </table>
  );
});

/** Sorts the list: its order is the order of the numbers. */
function NumberHeading() {
  const navigate = useNavigate();
  const search = useSearch({ from: '/pets' });
  const isAscending = search.order === 'asc';
  const changed = changeList(search, { order: isAscending ? undefined : 'asc' });
  return (
    <th scope="col" aria-sort={isAscending ? 'ascending' : 'descending'}>
      <UnstyledButton fz="inherit" onClick={() => void navigate({ to: '/pets', search: changed })}>
        {headings.id}
        {isAscending ? <ArrowUpIcon /> : <ArrowDownIcon />}
      </UnstyledButton>
    </th>
  );
}

interface PetRowsProps {
  pets: readonly Pet[];
  words: string | undefined;
}

function PetRows({ pets, words }: PetRowsProps) {
  const { names } = useCategoryNames();
  const { currentId, ...body } = useRowKeys(pets);
  return (
    <tbody {...body}>
      {pets.map((pet) => (
        <PetRow
          key={String(pet.id)}
          pet={pet}
          pets={pets}
          category={categoryName(pet.categoryId, names)}
          words={words}
          isCurrent={pet.id === currentId}
        />
      ))}
    </tbody>
  );
}

interface PetRowProps extends PetRowsProps {
  pet: Pet;
  category: string;
  /** Whether the Tab key leads to this row. */
  isCurrent: boolean;
}

const PetRow = memo(function PetRow({ pet, pets, category, words, isCurrent }: PetRowProps) {
  const { id, name, status } = pet;
  const cells: Record<Column, ReactNode> = {
    id: (
      <>
        <span className={classes.cardWord}>Number </span>
        {String(id)}
      </>
    ),
    // The link covers the whole row, and with it texts that may be cut.
    name: (
      <a href={`/pets/${id}`} data-row tabIndex={isCurrent ? 0 : -1} title={`${name} · ${category}`}>
        <PetName name={name} words={words} />
      </a>
    ),
    categoryId: <bdi>{category}</bdi>,
    status: <StatusBadge status={status} />,
  };
  return (
    <tr>
      <td>
        <PetCheckbox pet={pet} pets={pets} />
      </td>
      {fields.map((field) => {
        const Cell = cellOf(field);
        return (
          <Cell key={field} scope={field === 'name' ? 'row' : undefined}>
            {cells[field]}
          </Cell>
        );
      })}
    </tr>
  );
});

/** Further fields are on the page of an animal. */
const fields = ['id', 'name', 'categoryId', 'status'] as const satisfies (keyof Pet)[];
type Column = (typeof fields)[number];
/** The name is the heading of its row. */
const cellOf = (field: Column) => (field === 'name' ? 'th' : 'td');

/** More do not fit on a screen. */
const maxLoadingRows = 20;
const widths: Record<Column, string> = { id: '3rem', name: '50%', categoryId: '6rem', status: '4.5rem' };

function LoadingRows({ count }: { count: number }) {
  return (
    <tbody aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        <tr key={row}>
          <td>
            <Skeleton height="1rem" width="1rem" radius="sm" mx="auto" />
          </td>
          {fields.map((field) => {
            const Cell = cellOf(field);
            return (
              <Cell key={field}>
                <Skeleton height="0.75rem" width={widths[field]} my="0.375rem" />
              </Cell>
            );
          })}
        </tr>
      ))}
    </tbody>
  );
}
