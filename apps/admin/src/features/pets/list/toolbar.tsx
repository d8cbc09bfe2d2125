import { Button, NativeSelect, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { type PetStatus, petStatuses } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { Suspense, useEffect, useState } from 'react';
import { categoryName, isFound, pickFilter } from '../../../shared/filter-search.js';
import { formatCount, statusLabels } from '../../../shared/format.js';
import {
  ChecklistIcon,
  ChevronDownIcon,
  DownloadIcon,
  FilterIcon,
  PrinterIcon,
  SortIcon,
  UploadIcon,
} from '../../../shared/icons.js';
import { ButtonLink } from '../../../shared/links.js';
import { lazyComponent, useLazyCode } from '../../../shared/load-code.js';
import { parseLabelAddress } from '../../../shared/pet-id.js';
import { useCanAdd, useCategoryNames } from '../../../shared/store-info.js';
import { changeList, type ListSearch } from '../list-search.js';
import classes from './toolbar.module.css';
import { petCountQuery } from '../pet-queries.js';
import { SelectButton } from './selection.js';

const loadCategoryList = () => import('./category-list.js');
const PrintSheet = lazyComponent(async () => (await import('./print-sheet.js')).PrintSheet);

/** Filters, order, and what staff do with the whole list. */
export function Toolbar({ search }: { search: ListSearch }) {
  return (
    <div className={classes.toolbar}>
      <nav aria-label="Status" className={classes.tabs}>
        {[undefined, ...petStatuses].map((status) => (
          <StatusTab key={status ?? 'all'} status={status} search={search} />
        ))}
      </nav>
      <div className={`compact ${classes.controls}`}>
        <WordsField search={search} />
        <CategoryFilter search={search} />
        <OrderSelect search={search} />
        <ListActions search={search} />
      </div>
    </div>
  );
}

function StatusTab({ status, search }: { status: PetStatus | undefined; search: ListSearch }) {
  const { data: count } = useQuery(petCountQuery(status, search));
  return (
    <Link
      to="/pets"
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
  const { code, loadCode } = useLazyCode(loadCategoryList);
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
      onClick={loadCode}
    >
      {label}
    </Button>
  );
}

/** Filters while the person types. */
function WordsField({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  const [text, setText] = useState(search.q ?? '');
  /** The words in the address that the text has led to, or comes from. */
  const [applied, setApplied] = useState(search.q);
  if (search.q !== applied) {
    setApplied(search.q);
    // The person may be typing the next word.
    if (search.q !== (text.trim() || undefined)) setText(search.q ?? '');
  }
  const apply = useDebouncedCallback((q: string) => {
    void navigate({ to: '/pets', search: changeList(search, { q }), replace: search.q !== undefined });
  }, 200);
  /** A scanner types the address of an animal's page, and Enter. */
  const openLabel = () => {
    const petId = parseLabelAddress(text);
    if (petId === undefined) return;
    apply.cancel();
    void navigate({ to: '/pets/$petId', params: { petId: String(petId) } });
  };
  return (
    <TextInput
      type="search"
      aria-label="Filter this list"
      placeholder="Filter this list"
      leftSection={<FilterIcon />}
      className={classes.words}
      autoComplete="off"
      value={text}
      onChange={({ currentTarget: { value } }) => {
        setText(value);
        apply(value);
      }}
      onKeyDown={({ key }) => key === 'Enter' && openLabel()}
    />
  );
}

function OrderSelect({ search }: { search: ListSearch }) {
  const navigate = useNavigate();
  return (
    <NativeSelect
      aria-label="Order"
      className={classes.order}
      leftSection={<SortIcon />}
      leftSectionPointerEvents="none"
      rightSection={<ChevronDownIcon />}
      data={[
        { value: 'desc', label: 'Newest first' },
        { value: 'asc', label: 'Oldest first' },
      ]}
      value={search.order ?? 'desc'}
      onChange={({ currentTarget }) =>
        void navigate({ to: '/pets', search: changeList(search, { order: currentTarget.value }) })
      }
    />
  );
}

/** What staff do with the whole list, not only with the page that it shows. */
function ListActions({ search }: { search: ListSearch }) {
  const filter = pickFilter(search);
  return (
    <div className={classes.icons}>
      <ImportLink />
      <ButtonLink to="/export" search={filter} variant="subtle" aria-label="Export" title="Export">
        <DownloadIcon />
      </ButtonLink>
      <ButtonLink
        to="/labels"
        search={isFound(search) ? filter : { animals: search.status ?? 'all' }}
        variant="subtle"
        aria-label="Print labels"
        title="Print labels"
      >
        <PrinterIcon />
      </ButtonLink>
      <PrintList search={search} />
      <SelectButton />
    </div>
  );
}

/** Only on narrow screens, whose navigation has no space for it. */
function ImportLink() {
  const canAdd = useCanAdd();
  if (canAdd === false) return null;
  return (
    <ButtonLink
      to="/import"
      variant="subtle"
      style={{ visibility: canAdd ? 'visible' : 'hidden' }}
      aria-label="Import animals"
      title="Import animals"
      className={classes.narrowOnly}
    >
      <UploadIcon />
    </ButtonLink>
  );
}

/** Prints the whole list, also by Ctrl-P, which would print the visible page only. */
function PrintList({ search }: { search: ListSearch }) {
  const [isPrinting, setIsPrinting] = useState(false);
  useEffect(() => {
    const printAll = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== 'p' || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setIsPrinting(true);
    };
    addEventListener('keydown', printAll);
    return () => removeEventListener('keydown', printAll);
  }, []);
  return (
    <>
      <Button
        variant="subtle"
        className={classes.print}
        aria-label="Print list"
        title="Print list"
        aria-busy={isPrinting}
        onClick={() => setIsPrinting(true)}
      >
        <ChecklistIcon />
      </Button>
      <Suspense>{isPrinting && <PrintSheet search={search} onDone={() => setIsPrinting(false)} />}</Suspense>
    </>
  );
}
