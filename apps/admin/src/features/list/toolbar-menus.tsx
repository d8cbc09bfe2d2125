import { Box, Button, Menu, Popover, TextInput } from '@mantine/core';
import { Link, useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { formatCount } from '../../shared/format.js';
import { ChevronDownIcon } from '../../shared/icons.js';
import { countOf, countsMs, useCanAdd, useCategoryNames, useLiveCategories } from '../../shared/store-info.js';
import { categoryLabel, sortByMatch } from '../../shared/category-input.js';
import { changeList, type ListSearch } from '../../shared/list-search.js';
import classes from './list.module.css';
import { isSearch, pickFilter } from '../../shared/filter-search.js';
import { startSelection } from './selection.js';

/** The button and its list, opened by the click that loaded it. */
export function CategoryList({ search, label }: { search: ListSearch; label: string }) {
  const [isOpen, setIsOpen] = useState(true);
  const button = useRef<HTMLButtonElement>(null);
  return (
    <Popover
      opened={isOpen}
      onChange={setIsOpen}
      onClose={() => button.current?.focus()}
      withinPortal={false}
      trapFocus
      position="bottom-start"
      shadow="md"
      width="min(20rem, calc(100vw - 2rem))"
    >
      <Popover.Target>
        <Button
          ref={button}
          variant="default"
          rightSection={<ChevronDownIcon />}
          aria-haspopup="dialog"
          title={label}
          onClick={() => setIsOpen(!isOpen)}
        >
          {label}
        </Button>
      </Popover.Target>
      <Popover.Dropdown p="sm" aria-label="Categories">
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
      <Box component="ul" mah="min(20rem, 50dvh)" mt="xs" style={{ overflowY: 'auto' }} className={classes.choices}>
        {shown.map((category) => (
          <Choice key={category.id} category={category} search={search} />
        ))}
      </Box>
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
        <Box component="bdi" flex={1}>
          {label}
        </Box>{' '}
        <span className="note">{count !== undefined && formatCount(count)}</span>
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

/** What staff do with the list. The button and its menu, opened by the click that loaded it. */
export function ListMenu({ search, label }: { search: ListSearch; label: string }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The menu returns the focus to where it was when it opened.
    button.current?.focus();
    button.current?.click();
  }, []);
  return (
    <Menu position="bottom-end" width={240} shadow="md" withinPortal={false} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <Button variant="default" rightSection={<ChevronDownIcon />} ref={button}>
          {label}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <ListMenuItems search={search} />
      </Menu.Dropdown>
    </Menu>
  );
}

function ListMenuItems({ search }: { search: ListSearch }) {
  const canAdd = useCanAdd();
  const filter = pickFilter(search);
  const labels = isSearch(search) ? filter : { animals: search.status ?? 'all' };
  return (
    <>
      <Menu.Item renderRoot={(props) => <Link to="/labels" search={labels} {...props} />}>Print labels</Menu.Item>
      <Menu.Item onClick={startSelection}>Select animals for labels</Menu.Item>
      <Menu.Item onClick={() => print()}>Print this page</Menu.Item>
      <Menu.Divider />
      <Menu.Item renderRoot={(props) => <Link to="/export" search={filter} {...props} />}>Export</Menu.Item>
      {canAdd && (
        // On wide screens, the navigation has it.
        <Menu.Item hiddenFrom="md" renderRoot={(props) => <Link to="/import" {...props} />}>
          Import animals
        </Menu.Item>
      )}
    </>
  );
}
