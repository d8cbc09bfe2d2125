import { ActionIcon } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ChartIcon, ListIcon, PlusIcon, ScanIcon } from '../shared/icons.js';
import { useCanAdd } from '../shared/store-info.js';
import classes from './layout.module.css';

/** The pages, on wide screens. */
export function TopNavigation() {
  const canAdd = useCanAdd();
  return (
    <nav className={classes.top} aria-label="Main">
      <NavigationLink to="/" page="/pets">
        Animals
      </NavigationLink>
      <NavigationLink to="/overview" page="/overview">
        Overview
      </NavigationLink>
      {canAdd !== false && (
        <NavigationLink to="/import" page="/import">
          Import
        </NavigationLink>
      )}
      <NavigationLink to="/labels" page="/labels">
        Labels
      </NavigationLink>
    </nav>
  );
}

/** What staff need on a phone, in reach of the thumb. */
export function BottomNavigation({ onScan }: { onScan: () => void }) {
  const canAdd = useCanAdd();
  return (
    <nav className={classes.bottomLinks} aria-label="Main">
      <NavigationLink to="/" page="/pets">
        <ListIcon />
        Animals
      </NavigationLink>
      <NavigationLink to="/overview" page="/overview">
        <ChartIcon />
        Overview
      </NavigationLink>
      {canAdd !== false && (
        <NavigationLink to="/pets/new" page="/pets/new">
          <PlusIcon />
          Add
        </NavigationLink>
      )}
      <button type="button" className={classes.link} onClick={onScan}>
        <ScanIcon />
        Scan
      </button>
    </nav>
  );
}

/** Next to the search field. */
export function ScanButton({ onScan }: { onScan: () => void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size={44}
      aria-label="Scan a label"
      className={classes.scan}
      onClick={onScan}
    >
      <ScanIcon />
    </ActionIcon>
  );
}

interface NavigationLinkProps {
  to: '/' | '/overview' | '/import' | '/labels' | '/pets/new';
  /** The address of the page, which may redirect to another one. */
  page: string;
  children: ReactNode;
}

function NavigationLink({ to, page, children }: NavigationLinkProps) {
  const isCurrent = useRouterState({ select: ({ location }) => location.pathname === page });
  return (
    <Link to={to} className={classes.link} {...(isCurrent && { 'aria-current': 'page' })}>
      {children}
    </Link>
  );
}
