import { Box, Button, VisuallyHidden } from '@mantine/core';
import { type PetStatus, petStatuses } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { live } from '../../shared/api.js';
import { categoryName } from '../../shared/filter-search.js';
import { formatCount, statusLabels } from '../../shared/format.js';
import { ChevronDownIcon, CloseIcon, SortIcon } from '../../shared/icons.js';
import { useLazyCode } from '../../shared/load-code.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { changeList, type ListSearch } from '../../shared/list-search.js';
import classes from './list.module.css';
import { petCountQuery } from '../../shared/pet-queries.js';

const loadMenus = () => import('./toolbar-menus.js');
const listMenuLabel = 'Print and export';

/** The filter, the order, and what staff do with the list. */
export function Toolbar({ search }: { search: ListSearch }) {
  return (
    <div className={classes.toolbar}>
      <nav aria-label="Status" className={classes.tabs}>
        {[undefined, ...petStatuses].map((status) => (
          <StatusTab key={status ?? 'all'} status={status} search={search} />
        ))}
      </nav>
      <div className={`compact ${classes.controls}`}>
        <ClearSearch search={search} />
        <CategoryFilter search={search} />
        <OrderButton search={search} />
        <ListActions search={search} />
      </div>
    </div>
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

/** "Category", or what was chosen. The list of categories loads at the first click. */
function CategoryFilter({ search }: { search: ListSearch }) {
  const { names } = useCategoryNames();
  const { code, loadCode } = useLazyCode(loadMenus);
  const [first, ...others] = search.category ?? [];
  const name = first === undefined ? 'Category' : categoryName(BigInt(first), names);
  const label = others.length === 0 ? name : `${name} and ${others.length} more`;
  if (code) return <code.CategoryList search={search} label={label} />;
  return (
    <Button
      variant="default"
      rightSection={<ChevronDownIcon />}
      aria-haspopup="dialog"
      aria-expanded={false}
      title={label}
      onClick={loadCode}
    >
      {label}
    </Button>
  );
}

/** In a table, the heading of the numbers does it. */
function OrderButton({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  const [order, label] = search.order ? ['desc', 'Show the newest first'] : ['asc', 'Show the oldest first'];
  return (
    <Button
      variant="default"
      hiddenFrom="sm"
      aria-label={label}
      onClick={() => void navigate({ to: '/pets', search: changeList(search, { order }) })}
    >
      <SortIcon />
    </Button>
  );
}

/** Ends the search. A phone has no space for the heading with its words. */
function ClearSearch({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  const { q } = search;
  if (q === undefined) return null;
  return (
    <Button
      variant="default"
      rightSection={<CloseIcon />}
      // The words are cut first. On a phone, their beginning and the buttons fit.
      style={{ flexShrink: 100, minWidth: 'min(5rem, 17vw)' }}
      title={q}
      onClick={() => void navigate({ to: '/pets', search: changeList(search, { q: undefined }) })}
    >
      <Box component="span" hiddenFrom="sm">
        <VisuallyHidden>Clear search</VisuallyHidden> <bdi>{`“${q}”`}</bdi>
      </Box>
      <Box component="span" visibleFrom="sm">
        Clear search
      </Box>
    </Button>
  );
}

/** The menu loads at the first click. */
function ListActions({ search }: { search: ListSearch }) {
  const { code, loadCode } = useLazyCode(loadMenus);
  if (code) return <code.ListMenu search={search} label={listMenuLabel} />;
  return (
    <Button variant="default" rightSection={<ChevronDownIcon />} aria-haspopup="menu" onClick={loadCode}>
      {listMenuLabel}
    </Button>
  );
}
