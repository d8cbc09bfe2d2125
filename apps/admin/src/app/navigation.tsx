import { Button, Group, UnstyledButton } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartIcon, ListIcon, PlusIcon, ScanIcon } from '../shared/icons.js';
import { iconButton } from '../shared/links.js';
import { useCanAdd } from '../shared/store-info.js';
import classes from './layout.module.css';

/** The pages, on wide screens. */
export function TopNavigation() {
  const canAdd = useCanAdd();
  return (
    <Group component="nav" visibleFrom="md" gap={4} wrap="nowrap" aria-label="Main">
      <AnimalsLink>Animals</AnimalsLink>
      <Link to="/overview" className="tab">
        Overview
      </Link>
      {canAdd !== false && (
        <Link to="/import" className="tab">
          Import
        </Link>
      )}
      <Link to="/labels" className="tab">
        Labels
      </Link>
    </Group>
  );
}

/** What staff need on a phone, in reach of the thumb. */
export function BottomNavigation({ onScan }: { onScan: () => void }) {
  const canAdd = useCanAdd();
  return (
    <Group component="nav" grow gap={0} wrap="nowrap" aria-label="Main" className={classes.bottom}>
      <AnimalsLink>
        <ListIcon />
        Animals
      </AnimalsLink>
      <Link to="/overview" className="tab">
        <ChartIcon />
        Overview
      </Link>
      {canAdd !== false && (
        <Link to="/pets/new" className="tab">
          <PlusIcon />
          Add
        </Link>
      )}
      <UnstyledButton className="tab" onClick={onScan}>
        <ScanIcon />
        Scan
      </UnstyledButton>
    </Group>
  );
}

/** Current on the list and on the page of each animal, but not on the form. */
function AnimalsLink({ children }: { children: ReactNode }) {
  const isCurrent = useRouterState({ select: ({ location }) => /^\/pets(\/\d+)?$/.test(location.pathname) });
  return (
    <Link to="/" className="tab" activeOptions={{ exact: true }} aria-current={isCurrent ? 'page' : undefined}>
      {children}
    </Link>
  );
}

/** Next to the search field. */
export function ScanButton({ onScan }: { onScan: () => void }) {
  return (
    <Button {...iconButton} aria-label="Scan a label" visibleFrom="md" ml="auto" onClick={onScan}>
      <ScanIcon />
    </Button>
  );
}
