import { Box, Button, Group } from '@mantine/core';
import { useDisclosure, useMediaQuery, useNetwork, useTimeout } from '@mantine/hooks';
import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import {
  createContext,
  type MouseEvent,
  type ReactNode,
  Suspense,
  use,
  useEffect,
  useRef,
  useSyncExternalStore,
} from 'react';
import { FindField } from '../features/find/find-field.js';
import { AddNotice } from '../features/add/add-notice.js';
import { AddPetProvider } from '../features/add/add-provider.js';
import { Announcer, useFocusFallback } from '../shared/focus.js';
import { formatTime } from '../shared/format.js';
import { AlertIcon, ChartIcon, ListIcon, Logo, MenuIcon, PlusIcon, ScanIcon } from '../shared/icons.js';
import { keepSignedIn, useSession } from '../shared/session.js';
import { refreshMs } from '../shared/api.js';
import { useCanAdd, useLiveCategories } from '../shared/store-info.js';
import { iconButton } from '../shared/links.js';
import { lazyComponent, useLazyCode } from '../shared/load-code.js';
import { useCommands, useShortcuts } from './commands.js';
import classes from './layout.module.css';
import { useDialog } from './use-dialog.js';
import { loadAllCode, loadMenu, loadRecordPage, loadScanDialog } from './lazy-chunks.js';

const ShortcutsDialog = lazyComponent(async () => (await loadMenu()).ShortcutsDialog);
const ScanDialog = lazyComponent(async () => (await loadScanDialog()).ScanDialog);
/** After the requests of the first page. */
const loadAllAfterMs = 2000;

export function Layout() {
  const scan = useDialog('scan');
  const isNarrow = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  const [hasNotice, notice] = useDisclosure(true);
  const linkNotice = hasNotice && <LinkNotice onDismiss={notice.close} />;
  useFocusOnNavigation();
  useLiveCategories(refreshMs);
  // The rows are on the screen: they open also when the network fails now.
  useEffect(() => void loadRecordPage().catch(() => undefined), []);
  useTimeout(() => void loadAllCode(), loadAllAfterMs, { autoInvoke: true });
  return (
    <AddPetProvider>
      <div className="page">
        <a href="#content" className={classes.skip} onClick={focusContent}>
          Skip to content
        </a>
        <Header onScan={scan.open} />
        <div className={classes.scroller} data-scroll-restoration-id="page">
          <OfflineBanner />
          {!isNarrow && linkNotice}
          <AddNotice />
          <Box component="main" id="content" tabIndex={-1} flex={1} className={`container ${classes.content}`}>
            <Outlet />
          </Box>
        </div>
        <Box hiddenFrom="md" bg="var(--surface)" pb="env(safe-area-inset-bottom)" className={classes.bottom}>
          {isNarrow && linkNotice}
          <BottomNavigation onScan={scan.open} />
        </Box>
        <Announcer />
        <Suspense>{scan.isOpen && <ScanDialog onClose={scan.close} />}</Suspense>
      </div>
    </AddPetProvider>
  );
}

/** Keeps the fragment out of the address. */
function focusContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

function Header({ onScan }: { onScan: () => void }) {
  const help = useDialog('help');
  const commands = useCommands({ onScan, onHelp: help.open });
  useShortcuts(commands);
  return (
    <header className="header">
      <div className="container bar">
        <Link to="/" className="brand">
          <Logo /> <span className="brandName">Petstore</span>
        </Link>
        <TopNavigation />
        <FindField commands={commands} />
        <ScanButton onScan={onScan} />
        <HeaderMenu onHelp={help.open} />
        <Suspense>{help.isOpen && <ShortcutsDialog onClose={help.close} />}</Suspense>
      </div>
    </header>
  );
}

/** Pages, settings and sign-out. */
function HeaderMenu({ onHelp }: { onHelp: () => void }) {
  const { code, loadCode } = useLazyCode(loadMenu);
  if (code) return <code.OpenMenu onHelp={onHelp} />;
  return (
    <Button {...iconButton} aria-label="Menu" aria-haspopup="menu" onClick={loadCode}>
      <MenuIcon />
    </Button>
  );
}

/** The only message while the device is offline: the pages keep what they show. */
function OfflineBanner() {
  const { online } = useNetwork();
  return <div role="status">{!online && <Offline />}</div>;
}

function Offline() {
  const cache = useQueryClient().getQueryCache();
  const updatedAt = useSyncExternalStore(
    (onChange) => cache.subscribe(onChange),
    () => oldestUpdate(cache),
  );
  return (
    <Group component="p" justify="center" gap="xs" p="0.75rem 1rem" c="#3b2a05" bg="#ffd978">
      <AlertIcon />
      {[
        "You're offline.",
        updatedAt !== undefined && `This page is from ${formatTime(updatedAt)}.`,
        "You can't add animals until you're back online.",
      ]
        .filter(Boolean)
        .join(' ')}
    </Group>
  );
}

/** When the oldest animals or numbers of the visible page were read. */
function oldestUpdate(cache: QueryCache): number | undefined {
  const times = ['pets', 'categories'].flatMap((key) =>
    cache.findAll({ queryKey: [key], type: 'active' }).map(({ state }) => state.dataUpdatedAt),
  );
  const known = times.filter((time) => time > 0);
  return known.length > 0 ? Math.min(...known) : undefined;
}

/** For a person who signed in with a link. */
function LinkNotice({ onDismiss }: { onDismiss: () => void }) {
  const session = useSession();
  if (session?.wasExposed) return <ExposedKeyNotice onDismiss={onDismiss} />;
  return session?.isFromLink && !session.isShared && <StaySignedInOffer onDismiss={onDismiss} />;
}

function ExposedKeyNotice({ onDismiss }: { onDismiss: () => void }) {
  return (
    <NoticeBar label="Sign-in link">
      <p>Your sign-in link went through servers, which may have stored your key. Ask your manager for a new one.</p>
      <Button variant="default" size="compact-md" onClick={onDismiss}>
        OK
      </Button>
    </NoticeBar>
  );
}

/** The choice of the sign-in form. */
function StaySignedInOffer({ onDismiss }: { onDismiss: () => void }) {
  return (
    <NoticeBar label="Stay signed in">
      <Box component="p" visibleFrom="sm">
        On a shared computer, sign out when you finish.
      </Box>
      <Button variant="default" size="compact-md" onClick={() => keepSignedIn(true)}>
        Stay signed in on this device
      </Button>
      <Button variant="subtle" size="compact-md" onClick={onDismiss}>
        Not now
      </Button>
    </NoticeBar>
  );
}

function NoticeBar({ label, children }: { label: string; children: ReactNode }) {
  const ref = useFocusFallback<HTMLDivElement>();
  return (
    <Group component="section" ref={ref} gap="0.25rem 0.5rem" py={4} aria-label={label} className="container">
      {children}
    </Group>
  );
}

/** Whether the person signed in on this page: the field that had the focus is gone. */
export const HasJustSignedIn = createContext(false);

/**
 * Moves the focus to the heading after navigation to another page, or when the focused element disappeared. A link in a
 * `nav` of the page, such as "Next", keeps the focus, and so does a row or field that took it.
 */
function useFocusOnNavigation(): void {
  const place = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation });
  const previous = useRef<string>(undefined);
  const hasJustSignedIn = use(HasJustSignedIn);
  useEffect(() => {
    if (!place) return;
    const isMoved = previous.current === undefined ? hasJustSignedIn : previous.current !== place.pathname;
    const isLost = previous.current !== undefined && document.activeElement === document.body;
    const isKept = document.activeElement?.matches('main nav *, main form *, main [data-row]') ?? false;
    // The router restores the scroll position.
    if (isLost || (isMoved && !isKept)) document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true });
    previous.current = place.pathname;
  }, [place, hasJustSignedIn]);
}

/** The list and each animal, but not the form. */
const animalsPage = /^\/pets(\/\d+)?$/;

/** The pages, on wide screens. */
function TopNavigation() {
  const canAdd = useCanAdd();
  return (
    <Group component="nav" visibleFrom="md" gap={4} wrap="nowrap" aria-label="Main">
      <NavigationLink to="/" page={animalsPage}>
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
    </Group>
  );
}

/** What staff need on a phone, in reach of the thumb. */
function BottomNavigation({ onScan }: { onScan: () => void }) {
  const canAdd = useCanAdd();
  return (
    <Group component="nav" grow gap={0} wrap="nowrap" aria-label="Main">
      <NavigationLink to="/" page={animalsPage}>
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
      <button type="button" className="tab" onClick={onScan}>
        <ScanIcon />
        Scan
      </button>
    </Group>
  );
}

/** Next to the search field. */
function ScanButton({ onScan }: { onScan: () => void }) {
  return (
    <Button {...iconButton} aria-label="Scan a label" visibleFrom="md" ml="auto" onClick={onScan}>
      <ScanIcon />
    </Button>
  );
}

interface NavigationLinkProps {
  to: '/' | '/overview' | '/import' | '/labels' | '/pets/new';
  /** The address of the page, which may redirect to another one, or of all pages of a kind. */
  page: string | RegExp;
  children: ReactNode;
}

function NavigationLink({ to, page, children }: NavigationLinkProps) {
  const isCurrent = useRouterState({
    select: ({ location: { pathname } }) => (typeof page === 'string' ? pathname === page : page.test(pathname)),
  });
  return (
    <Link to={to} className="tab" {...(isCurrent && { 'aria-current': 'page' })}>
      {children}
    </Link>
  );
}
