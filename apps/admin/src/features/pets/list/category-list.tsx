import { Button, Popover, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { toPetFilter } from '../../../shared/filter-search.js';
import { formatCount } from '../../../shared/format.js';
import { ChevronDownIcon } from '../../../shared/icons.js';
import { countCategories, useKnownPets } from '../../../shared/known-pets/known-pets.js';
import { newestText } from '../../../shared/known-pets/known-text.js';
import { useCategoryNames } from '../../../shared/store-info.js';
import { categoryLabel, sortByMatch } from '../category-input.js';
import { changeList, type ListSearch } from '../list-search.js';
import classes from './toolbar.module.css';

/** The button and its list, opened by the click that loaded it. */
export function CategoryList({ search, label }: { search: ListSearch; label: string }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Popover opened={isOpen} onChange={setIsOpen} withinPortal={false} trapFocus position="bottom-start" shadow="md">
      <Popover.Target>
        <Button
          variant="default"
          rightSection={<ChevronDownIcon />}
          aria-haspopup="dialog"
          onClick={() => setIsOpen(!isOpen)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.categoryFilter} aria-label="Categories">
        {isOpen && <Choices search={search} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function Choices({ search }: { search: ListSearch }) {
  const [text, setText] = useState('');
  const input = useRef<HTMLInputElement>(null);
  const newest = newestText(useKnownPets());
  const categories = useCategories(search);
  const shown = sortByMatch(categories, text, ({ label }) => label);
  useEffect(() => input.current?.focus(), []);
  return (
    <>
      <TextInput
        ref={input}
        aria-label="Find a category"
        placeholder="Find a category"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
      <ul className={classes.choices}>
        {shown.map((category) => (
          <Choice key={category.id} category={category} search={search} />
        ))}
      </ul>
      {newest && <p>Of {newest} animals</p>}
    </>
  );
}

interface CategoryChoice {
  id: string;
  label: string;
  /** `undefined` until this device knows animals. */
  count: number | undefined;
}

function Choice({ category: { id, label, count }, search }: { category: CategoryChoice; search: ListSearch }) {
  const navigate = useNavigate();
  const chosen = search.category ?? [];
  const choose = (isChosen: boolean) => {
    const category = isChosen ? [...chosen, id] : chosen.filter((other) => other !== id);
    void navigate({ to: '/pets', search: changeList(search, { category }) });
  };
  return (
    <li>
      <label className="check">
        <input
          type="checkbox"
          checked={chosen.includes(id)}
          onChange={({ currentTarget }) => choose(currentTarget.checked)}
        />
        <bdi>{label}</bdi> <span>{count !== undefined && formatCount(count)}</span>
      </label>
    </li>
  );
}

/** Those with a name and those of known animals, by name, with the numbers of animals that match the other filters. */
function useCategories(search: ListSearch): CategoryChoice[] {
  const { names } = useCategoryNames();
  const { searched, updatedAt } = useKnownPets();
  const { data: counted = [] } = useQuery({
    queryKey: ['known', 'categories', search.q, search.since, search.status, searched, updatedAt],
    queryFn: async () => countCategories(toPetFilter(search)),
  });
  const { status } = search;
  const counts = new Map(
    counted.map(({ categoryId, counts: { available, pending, sold }, counts: byStatus }) => [
      categoryId,
      status ? byStatus[status] : available + pending + sold,
    ]),
  );
  const ids = new Set([...names.keys(), ...counts.keys(), ...(search.category ?? []).map(BigInt)]);
  const choices = [...ids].map((id) => ({
    id: String(id),
    label: names.get(id) ?? categoryLabel(id, names),
    count: searched === 0 ? undefined : (counts.get(id) ?? 0),
  }));
  return choices.toSorted((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }));
}
