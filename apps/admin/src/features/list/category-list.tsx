import { Button, Popover, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../shared/format.js';
import { ChevronDownIcon } from '../../shared/icons.js';
import { countOf, countsMs, useCategoryNames, useLiveCategories } from '../../shared/store-info.js';
import { categoryLabel, sortByMatch } from '../../shared/category-input.js';
import { changeList, type ListSearch } from '../../shared/list-search.js';
import classes from './list.module.css';

/** The button and its list, opened by the click that loaded it. */
export function CategoryList({ search, label }: { search: ListSearch; label: string }) {
  const [isOpen, setIsOpen] = useState(true);
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      withinPortal={false}
      trapFocus
      position="bottom-start"
      shadow="md"
      width={320}
    >
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

/** By name, with the numbers of animals of the chosen status. The service does not count the words of a search by category. */
function useCategories({ q, status, category = [] }: ListSearch): CategoryChoice[] {
  const { names } = useCategoryNames();
  const { data = [] } = useLiveCategories(countsMs);
  const counts = new Map(data.map((counted) => [counted.id, countOf(counted, status)]));
  const ids = new Set([...counts.keys(), ...category.map(BigInt)]);
  const choices = [...ids].map((id) => ({
    id: String(id),
    label: names.get(id) ?? categoryLabel(id, names),
    count: q === undefined ? (counts.get(id) ?? 0) : undefined,
  }));
  return choices.toSorted((a, b) => a.label.localeCompare(b.label, undefined, { numeric: true }));
}
