import { petStatuses, type PetStatus } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useEffect } from 'react';
import { formatCount, formatTime, statusLabels } from '../../shared/format.js';
import { countCategories, findPets, updateKnownPets, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { knownText } from '../../shared/known-pets/known-text.js';
import { afterVisit, noteVisit, readVisits, type VisitMark } from '../../shared/known-pets/visits.js';
import { ButtonLink } from '../../shared/links.js';
import { Page } from '../../shared/page.js';
import { type CategoryNames, useCategoryNames } from '../../shared/store-info.js';
import { AddLink } from './links.js';
import classes from './overview.module.css';
import { PetName, StatusBadge } from './pet-parts.js';
import { petCountQuery, petListQuery } from './pet-queries.js';

/** How many animals the store has, of which categories, and what is new. */
export function OverviewPage() {
  const { data: total } = useQuery(petCountQuery(undefined));
  useEffect(() => void updateKnownPets(), []);
  return (
    <Page title="Overview" actions={<AddLink>Add animal</AddLink>}>
      {total === 0 ? <FirstDay /> : <Sections />}
    </Page>
  );
}

function FirstDay() {
  return (
    <div className={`panel ${classes.section}`}>
      <h2>Your store has no animals yet</h2>
      <p>Add the first one, or import a list of animals from a spreadsheet.</p>
      <ButtonLink to="/import" variant="default">
        Import animals
      </ButtonLink>
    </div>
  );
}

function Sections() {
  const known = useKnownPets();
  return (
    <div className={classes.page}>
      <Totals />
      <Categories />
      <div className={classes.side}>
        <NewAnimals />
        <Newest />
      </div>
      <p role="status" className={classes.state}>
        {knownText(known)}
      </p>
    </div>
  );
}

function Totals() {
  return (
    <nav aria-label="Totals" className={classes.totals}>
      {[undefined, ...petStatuses].map((status) => (
        <Total key={status ?? 'all'} status={status} />
      ))}
    </nav>
  );
}

function Total({ status }: { status: PetStatus | undefined }) {
  const { data: count } = useQuery(petCountQuery(status));
  return (
    <Link to="/pets" search={status ? { status } : {}} className={`panel ${classes.total}`}>
      <span>{status ? <StatusBadge status={status} /> : 'All animals'}</span>
      <strong>{typeof count === 'number' ? formatCount(count) : '\u2007'}</strong>
    </Link>
  );
}

/** Of the animals that this device knows, with the most available ones first. */
function Categories() {
  const { searched, updatedAt } = useKnownPets();
  const { names } = useCategoryNames();
  const { data: counted = [] } = useQuery({
    queryKey: ['known', 'categories', searched, updatedAt],
    queryFn: async () => countCategories({}),
    placeholderData: (previous) => previous,
  });
  const rows = counted.toSorted((a, b) => b.counts.available - a.counts.available || sumOf(b) - sumOf(a));
  const highest = Math.max(1, ...rows.map(({ counts }) => counts.available));
  return (
    <section className={`panel ${classes.section} ${classes.categories}`} aria-labelledby="categories">
      <h2 id="categories">Animals by category</h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Category</th>
            {petStatuses.map((status) => (
              <th key={status} scope="col">
                {statusLabels[status]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ categoryId, counts }) => (
            <CategoryRow
              key={String(categoryId)}
              id={String(categoryId)}
              name={nameOf(categoryId, names)}
              counts={counts}
              share={counts.available / highest}
            />
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface CategoryRowProps {
  id: string;
  name: string;
  counts: Record<PetStatus, number>;
  /** The length of the bar, from 0 to 1. */
  share: number;
}

function CategoryRow({ id, name, counts, share }: CategoryRowProps) {
  return (
    <tr>
      <th scope="row">
        <CategoryName id={id} name={name} share={share} />
      </th>
      {petStatuses.map((status) => (
        <td key={status}>
          <Link
            to="/pets"
            search={{ category: [id], status }}
            aria-label={`${name}, ${statusLabels[status].toLowerCase()}: ${formatCount(counts[status])}`}
          >
            {formatCount(counts[status])}
          </Link>
        </td>
      ))}
    </tr>
  );
}

function CategoryName({ id, name, share }: Omit<CategoryRowProps, 'counts'>) {
  return (
    <>
      <Link to="/pets" search={{ category: [id] }}>
        <bdi>{name}</bdi>
      </Link>
      <span className={classes.bar} style={{ inlineSize: `${share * 100}%` }} aria-hidden="true" />
    </>
  );
}

/** What any device has added today, and since the last look at this page. */
function NewAnimals() {
  const { updatedAt, newestId } = useKnownPets();
  const isKnown = updatedAt !== undefined && newestId !== undefined;
  const visits = isKnown ? afterVisit(readVisits(), { id: String(newestId), at: updatedAt }) : readVisits();
  useEffect(() => {
    if (updatedAt !== undefined && newestId !== undefined) noteVisit(newestId, updatedAt);
  }, [updatedAt, newestId]);
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="new-animals">
      <h2 id="new-animals">New animals</h2>
      <ul className={classes.list}>
        {visits.day && <NewSince mark={visits.day} label="Today, since" />}
        {visits.previous && <NewSince mark={visits.previous} label="Since your last visit," />}
      </ul>
      {!visits.day && <p>{'Reading the animals of the store…'}</p>}
    </section>
  );
}

function NewSince({ mark: { id, at }, label }: { mark: VisitMark; label: string }) {
  const { searched, updatedAt } = useKnownPets();
  const { data: count } = useQuery({
    queryKey: ['known', 'since', id, searched, updatedAt],
    queryFn: async () => (await findPets({ since: BigInt(id) }, { limit: 0 })).count,
    placeholderData: (previous) => previous,
  });
  return (
    <li>
      <Link to="/pets" search={{ since: id }}>
        {label} {formatTime(at)}
      </Link>
      <strong>{count === undefined ? '\u2007' : formatCount(count)}</strong>
    </li>
  );
}

const newestCount = 10;

function Newest() {
  const { data } = useQuery(petListQuery({}));
  const { names } = useCategoryNames();
  return (
    <section className={`panel ${classes.section}`} aria-labelledby="newest">
      <h2 id="newest">Newest animals</h2>
      <ul className={classes.list} style={{ minBlockSize: `calc(${newestCount} * var(--row-height))` }}>
        {data?.pets.slice(0, newestCount).map(({ id, name, categoryId }) => (
          <li key={String(id)}>
            <Link to="/pets/$petId" params={{ petId: String(id) }}>
              <PetName name={name} />
            </Link>
            <bdi>{nameOf(categoryId, names)}</bdi>
          </li>
        ))}
      </ul>
    </section>
  );
}

function nameOf(id: bigint, names: CategoryNames): string {
  return names.get(id) ?? `Category ${id}`;
}

function sumOf({ counts: { available, pending, sold } }: { counts: Record<PetStatus, number> }): number {
  return available + pending + sold;
}
