import { Box, Button, Popover, Stack, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { sortByMatch } from '../../shared/category-input.js';
import { categoryName } from '../../shared/filter-search.js';
import { formatCount } from '../../shared/format.js';
import { ChevronDownIcon } from '../../shared/icons.js';
import { changeList, type ListSearch } from '../../shared/list-search.js';
import { countOf, countsMs, useCategoryNames, useLiveCategories } from '../../shared/store-info.js';

export function CategoryFilter({ search }: { search: ListSearch }) {
  return (
    <Popover
      withinPortal={false}
      trapFocus
      returnFocus
      position="bottom-start"
      shadow="md"
      width="min(20rem, calc(100vw - 2rem))"
    >
      <Popover.Target>
        <Button variant="default" rightSection={<ChevronDownIcon />}>
          Category
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="xs">
        <Choices search={search} />
      </Popover.Dropdown>
    </Popover>
  );
}

export function withoutCategory(search: ListSearch, id: string): ListSearch {
  const category = search.category?.filter((other) => other !== id);
  return changeList(search, { category: category?.length ? category : undefined });
}

function Choices({ search }: { search: ListSearch }) {
  const [text, setText] = useState('');
  const shown = sortByMatch(useCategories(search), text, ({ label }) => label);
  return (
    <>
      <TextInput
        data-autofocus
        aria-label="Find a category"
        placeholder="Find a category"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          // Ticks the only match, or the first one.
          if (key === 'Enter') currentTarget.closest('[role=dialog]')?.querySelector<HTMLElement>('li input')?.click();
        }}
      />
      <Stack component="ul" gap={0} mt="xs" fz="sm" mah="min(20rem, 50dvh)" style={{ overflowY: 'auto' }}>
        {shown.map((category) => (
          <Choice key={category.id} category={category} search={search} />
        ))}
      </Stack>
    </>
  );
}

interface CategoryChoice {
  id: string;
  label: string;
  count: number | undefined;
}

function Choice({ category: { id, label, count }, search }: { category: CategoryChoice; search: ListSearch }) {
  const navigate = useNavigate();
  const { category = [] } = search;
  const isChosen = category.includes(id);
  const changed = isChosen ? withoutCategory(search, id) : changeList(search, { category: [...category, id] });
  return (
    <li>
      <Box component="label" p="0.375rem 0.25rem" className="check">
        <input
          type="checkbox"
          checked={isChosen}
          onChange={() => void navigate({ to: '/pets', search: changed, resetScroll: false })}
        />
        <Box component="bdi" flex={1}>
          {label}
        </Box>{' '}
        <span className="note">{count !== undefined && formatCount(count)}</span>
      </Box>
    </li>
  );
}

/** By name, with the numbers of animals of the chosen status. The service does not count the words of a search by category. */
function useCategories({ q, status, category = [] }: ListSearch): CategoryChoice[] {
  const { names } = useCategoryNames();
  const { data = [] } = useLiveCategories(countsMs);
  const counts = new Map(data.map((counted) => [counted.id, countOf(counted, status)]));
  const ids = new Set([...counts.keys(), ...category.map(BigInt)]);
  const choices = [...ids].map((id) => ({
    id: String(id),
    label: categoryName(id, names),
    count: q === undefined ? (counts.get(id) ?? 0) : undefined,
  }));
  return choices.toSorted((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }));
}
