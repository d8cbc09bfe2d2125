import { Button, Menu } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { isSearch, pickFilter } from '../../shared/filter-search.js';
import { ChevronDownIcon } from '../../shared/icons.js';
import { useCanAdd } from '../../shared/store-info.js';
import type { ListSearch } from '../../shared/list-search.js';
import { startSelection } from './selection.js';

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
