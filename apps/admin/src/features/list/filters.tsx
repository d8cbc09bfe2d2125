import { Button, Group, Menu } from '@mantine/core';
import { type PetStatus, petStatuses } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { live } from '../../shared/api.js';
import { categoryName, isSearch, pickFilter } from '../../shared/filter-search.js';
import { formatCount, statusLabels } from '../../shared/format.js';
import { ChevronDownIcon, CloseIcon, SortIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
import { changeList, type ListSearch } from '../../shared/list-search.js';
import { petCountQuery } from '../../shared/pet-queries.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { CategoryFilter, withoutCategory } from './category-filter.js';
import classes from './list.module.css';
import { startSelection } from './selection.js';

/** The filter, the order, and what staff do with the list. */
export function Filters({ search }: { search: ListSearch }) {
  return (
    <Group gap="0.25rem 0.5rem" justify="space-between" className={`compact ${classes.filters}`}>
      <Group component="nav" gap={4} aria-label="Status" className={classes.tabs}>
        {[undefined, ...petStatuses].map((status) => (
          <StatusTab key={status ?? 'all'} status={status} search={search} />
        ))}
      </Group>
      <Group gap="xs" ml="auto" className={classes.controls}>
        <CategoryFilter search={search} />
        <OrderButton search={search} />
        <ListMenu search={search} />
      </Group>
      {isSearch(search) && <Chips search={search} />}
    </Group>
  );
}

function StatusTab({ status, search }: { status: PetStatus | undefined; search: ListSearch }) {
  const { data: count } = useQuery({ ...petCountQuery(status, search), ...live });
  return (
    <Link
      to="/pets"
      className="tab"
      search={changeList(search, { status })}
      // By default, "All" is also current in every filtered list.
      activeOptions={{ exact: true }}
      aria-current={search.status === status ? 'page' : undefined}
    >
      {status ? statusLabels[status] : 'All'} <span>{typeof count === 'number' ? formatCount(count) : '\u2007'}</span>
    </Link>
  );
}

/** In a table, the heading of the numbers does it. */
function OrderButton({ search }: { search: ListSearch }) {
  const { order } = search;
  return (
    <ButtonLink
      to="/pets"
      search={changeList(search, { order: order ? undefined : 'asc' })}
      variant="default"
      hiddenFrom="sm"
      aria-label={order ? 'Show the newest first' : 'Show the oldest first'}
    >
      <SortIcon />
    </ButtonLink>
  );
}

function ListMenu({ search }: { search: ListSearch }) {
  const filter = pickFilter(search);
  const labels = isSearch(search) ? filter : { animals: search.status ?? 'all' };
  return (
    <Menu position="bottom-end" width={260} shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" ml="auto" rightSection={<ChevronDownIcon />}>
          Print and export
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item renderRoot={(props) => <Link to="/labels" search={labels} {...props} />}>
          Print labels of these animals
        </Menu.Item>
        <Menu.Item onClick={startSelection}>Select animals</Menu.Item>
        <Menu.Item onClick={() => print()}>Print this page</Menu.Item>
        <Menu.Item renderRoot={(props) => <Link to="/export" search={filter} {...props} />}>
          Export these animals
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

/** The words and the categories, each with a way to remove it. */
function Chips({ search }: { search: ListSearch }) {
  const { q, category = [] } = search;
  const { names } = useCategoryNames();
  return (
    <Group component="section" gap="0.375rem" aria-label="Filters" className={classes.chips}>
      {q !== undefined && <Chip text={`“${q}”`} search={changeList(search, { q: undefined })} />}
      {category.map((id) => (
        <Chip key={id} text={categoryName(BigInt(id), names)} search={withoutCategory(search, id)} />
      ))}
      <ButtonLink
        to="/pets"
        search={changeList(search, { q: undefined, category: undefined })}
        variant="subtle"
        px="0.5rem"
      >
        Clear all
      </ButtonLink>
    </Group>
  );
}

/** `search` is the list without the filter. */
function Chip({ text, search }: { text: string; search: ListSearch }) {
  return (
    <ButtonLink
      to="/pets"
      search={search}
      variant="light"
      radius="xl"
      px="0.75rem"
      maw="min(16rem, 100%)"
      rightSection={<CloseIcon />}
      title={text}
      aria-label={`Remove filter ${text}`}
    >
      <bdi>{text}</bdi>
    </ButtonLink>
  );
}
