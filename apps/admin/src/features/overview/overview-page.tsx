import { Progress, SimpleGrid, Skeleton, Table } from '@mantine/core';
import { type Category, maxTotals, petStatuses, type PetStatus } from '@petstore/contracts';
import { useQueries } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useDeferredValue } from 'react';
import { live } from '../../shared/api.js';
import { ReadProblem } from '../../shared/error-notice.js';
import { categoryName } from '../../shared/filter-search.js';
import { formatCount, statusLabels } from '../../shared/format.js';
import { AddLink, FirstDay } from '../../shared/links.js';
import { Page } from '../../shared/page.js';
import { StatusBadge } from '../../shared/pet-parts.js';
import { petCountQuery, refreshPets } from '../../shared/pet-queries.js';
import { countOf, countsMs, useCategoryNames, useLiveCategories } from '../../shared/store-info.js';
import classes from './overview.module.css';

const barColors: Record<PetStatus, string> = {
  available: 'var(--available)',
  pending: 'var(--pending)',
  sold: 'var(--sold-tint)',
};

/** How many animals the store has, and of which categories. */
export function OverviewPage() {
  const categories = useLiveCategories(countsMs);
  // Counted by the service: it does not list every category without a name.
  const totals = useQueries({ queries: petStatuses.map((status) => ({ ...petCountQuery(status), ...live })) });
  const counts = totals.map(({ data }) => (data === null ? Infinity : data));
  const all = counts.reduce((sum, count) => (sum === undefined || count === undefined ? undefined : sum + count), 0);
  const problem = totals.find(({ error }) => error) ?? categories;
  // Deferred, and empty at first: the links of many categories would block the page.
  const rows = useDeferredValue(categories.data, undefined);
  return (
    <Page
      title="Overview"
      actions={
        all !== 0 && (
          // The navigation at the bottom of narrow screens has it.
          <AddLink size="sm" visibleFrom="md">
            Add animal
          </AddLink>
        )
      }
    >
      <ReadProblem query={problem} onRetry={() => void Promise.all([categories.refetch(), refreshPets()])} />
      {all === 0 ? (
        <FirstDay />
      ) : (
        <>
          <Totals counts={[all, ...counts]} />
          {(rows ?? !categories.error) && <Categories categories={rows} />}
        </>
      )}
    </Page>
  );
}

/** Shows the number of all animals, then of each status. `Infinity` is more than the service counts. */
function Totals({ counts }: { counts: readonly (number | undefined)[] }) {
  return (
    <SimpleGrid
      component="section"
      minColWidth="min(8.5rem, 100%)"
      autoFlow="auto-fit"
      spacing="sm"
      mb="md"
      aria-label="Totals"
    >
      {[undefined, ...petStatuses].map((status, index) => (
        <Link
          key={status ?? 'all'}
          to="/pets"
          search={{ ...(status && { status }) }}
          className={`panel ${classes.total}`}
        >
          <span className="note">{status ? <StatusBadge status={status} /> : 'All animals'}</span>
          <strong>{counts[index] === undefined ? <Skeleton w="4ch" h="1.2em" /> : totalText(counts[index])}</strong>
        </Link>
      ))}
    </SimpleGrid>
  );
}

function totalText(count: number): string {
  return count === Infinity ? `More than ${formatCount(maxTotals.list)}` : formatCount(count);
}

const loadingRows = ['a', 'b', 'c', 'd', 'e', 'f'].map((key) => (
  <Table.Tr key={key} h="var(--row-height)" aria-hidden>
    {['category', ...petStatuses].map((column) => (
      <Table.Td key={column}>
        <Skeleton h="0.5rem" w={column === 'category' ? '90%' : '50%'} display="inline-block" />
      </Table.Td>
    ))}
  </Table.Tr>
));

/** In the order of the service: rows that change places would move under the pointer. */
function Categories({ categories }: { categories: readonly Category[] | undefined }) {
  const largest = Math.max(1, ...(categories ?? []).map((category) => countOf(category)));
  return (
    <section className={`panel ${classes.categories}`} aria-label="Animals by category">
      <Table layout="fixed" highlightOnHover horizontalSpacing={0} verticalSpacing={0}>
        <Table.Thead>
          <Table.Tr h="var(--row-height)">
            <Table.Th>Category</Table.Th>
            {petStatuses.map((status) => (
              <Table.Th key={status}>{statusLabels[status]}</Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {categories?.map((category) => (
            <CategoryRow key={String(category.id)} category={category} largest={largest} />
          )) ?? loadingRows}
        </Table.Tbody>
      </Table>
    </section>
  );
}

/** The bar of the largest category has the whole length. */
function CategoryRow({ category, largest }: { category: Category; largest: number }) {
  const { names } = useCategoryNames();
  const id = String(category.id);
  const name = categoryName(category.id, names);
  const counts = petStatuses.map((status) => ({ status, count: countOf(category, status) }));
  return (
    <Table.Tr>
      <Table.Th scope="row">
        <div className={classes.category}>
          <Link to="/pets" search={{ category: [id] }} className="plainLink" title={name}>
            <bdi>{name}</bdi>
          </Link>
          <Progress.Root bg="transparent" aria-hidden>
            {counts.map(({ status, count }) => (
              <Progress.Section
                key={status}
                data-status={status}
                color={barColors[status]}
                value={(count / largest) * 100}
                withAria={false}
              />
            ))}
          </Progress.Root>
        </div>
      </Table.Th>
      {counts.map(({ status, count }) => (
        <Table.Td key={status} c={count === 0 ? 'dimmed' : 'inherit'}>
          <Link
            to="/pets"
            search={{ category: [id], status }}
            className="plainLink"
            aria-label={`${name}, ${statusLabels[status].toLowerCase()}: ${formatCount(count)}`}
          >
            {formatCount(count)}
          </Link>
        </Table.Td>
      ))}
    </Table.Tr>
  );
}
