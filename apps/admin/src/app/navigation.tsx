import { ActionIcon } from '@mantine/core';
import { Link, useRouterState } from '@tanstack/react-router';
import { type ReactNode, Suspense, useState } from 'react';
import { ChartIcon, ListIcon, PlusIcon, ScanIcon } from '../shared/icons.js';
import { lazyComponent } from '../shared/load-code.js';
import { useCanAdd } from '../shared/store-info.js';
import { loadScanDialog } from './lazy-chunks.js';
import classes from './navigation.module.css';

const ScanDialog = lazyComponent(async () => (await loadScanDialog()).ScanDialog);

/** The pages, on wide screens. */
export function TopNavigation() {
  const canAdd = useCanAdd();
  return (
    <nav className={classes.top} aria-label="Main">
      <PageLink to="/" page="/pets">
        Animals
      </PageLink>
      <PageLink to="/overview" page="/overview">
        Overview
      </PageLink>
      {canAdd !== false && (
        <PageLink to="/import" page="/import">
          Import
        </PageLink>
      )}
      <PageLink to="/labels" page="/labels">
        Labels
      </PageLink>
    </nav>
  );
}

/** What staff need on a phone, in reach of the thumb. */
export function BottomNavigation() {
  const canAdd = useCanAdd();
  return (
    <nav className={classes.bottom} aria-label="Main">
      <PageLink to="/" page="/pets">
        <ListIcon />
        Animals
      </PageLink>
      <PageLink to="/overview" page="/overview">
        <ChartIcon />
        Overview
      </PageLink>
      {canAdd !== false && (
        <PageLink to="/pets/new" page="/pets/new">
          <PlusIcon />
          Add
        </PageLink>
      )}
      <Scan>
        {(open) => (
          <button type="button" className={classes.link} onClick={open}>
            <ScanIcon />
            Scan
          </button>
        )}
      </Scan>
    </nav>
  );
}

/** Next to the search field. */
export function ScanButton() {
  return (
    <Scan>
      {(open) => (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={44}
          aria-label="Scan a label"
          className={classes.scan}
          onClick={open}
        >
          <ScanIcon />
        </ActionIcon>
      )}
    </Scan>
  );
}

function Scan({ children }: { children: (open: () => void) => ReactNode }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      {children(() => setIsOpen(true))}
      <Suspense>{isOpen && <ScanDialog onClose={() => setIsOpen(false)} />}</Suspense>
    </>
  );
}

interface PageLinkProps {
  to: '/' | '/overview' | '/import' | '/labels' | '/pets/new';
  /** The address of the page, which may redirect to another one. */
  page: string;
  children: ReactNode;
}

function PageLink({ to, page, children }: PageLinkProps) {
  const isCurrent = useRouterState({ select: ({ location }) => location.pathname === page });
  return (
    <Link to={to} className={classes.link} {...(isCurrent && { 'aria-current': 'page' })}>
      {children}
    </Link>
  );
}
