import { ActionIcon, Button } from '@mantine/core';
import { useDisclosure, useMediaQuery, useNetwork, useTimeout } from '@mantine/hooks';
import { Link, Outlet, useRouterState } from '@tanstack/react-router';
import { createContext, type MouseEvent, type ReactNode, Suspense, use, useEffect, useRef } from 'react';
import { FindField } from '../features/find/find-field.js';
import { AddNotice, AddPetProvider } from '../features/pets/add/add-pet.js';
import { Announcer, useFocusFallback } from '../shared/focus.js';
import { AlertIcon, ChartIcon, ListIcon, Logo, MenuIcon, PlusIcon, ScanIcon } from '../shared/icons.js';
import { nameCategories } from '../shared/known-pets/known-pets.js';
import { keepSignedIn, useSession } from '../shared/session.js';
import { useCanAdd, useCategoryNames } from '../shared/store-info.js';
import { lazyComponent, useLazyCode } from '../shared/load-code.js';
import { useCommands, useShortcuts } from './commands.js';
import classes from './layout.module.css';
import { loadAllCode, loadOpenMenu, loadPetDetailsPage, loadScanDialog, loadShortcutsDialog } from './lazy-chunks.js';

const ShortcutsDialog = lazyComponent(async () => (await loadShortcutsDialog()).ShortcutsDialog);
const ScanDialog = lazyComponent(async () => (await loadScanDialog()).ScanDialog);
/** After the requests of the first page. */
const loadAllAfterMs = 2000;

export function Layout() {
  const [isScanning, scan] = useDisclosure();
  const isNarrow = useMediaQuery('(max-width: 61.99em)', undefined, { getInitialValueInEffect: false });
  const [mayOffer, offer] = useDisclosure(true);
  const stayOffer = mayOffer && <StaySignedInOffer onDismiss={offer.close} />;
  useFocusOnNavigation();
  useNamesForSearch();
  // The rows are on the screen: they open also when the network fails now.
  useEffect(() => void loadPetDetailsPage().catch(() => undefined), []);
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
          {!isNarrow && stayOffer}
          <AddNotice />
          <main id="content" tabIndex={-1} className={`container ${classes.content}`}>
            <Outlet />
          </main>
        </div>
        <div className={classes.bottom}>
          {isNarrow && stayOffer}
          <BottomNavigation onScan={scan.open} />
        </div>
        <Announcer />
        <Suspense>{isScanning && <ScanDialog onClose={scan.close} />}</Suspense>
      </div>
    </AddPetProvider>
  );
}

/** A search also finds the animals of a category by its name. */
function useNamesForSearch(): void {
  const { names } = useCategoryNames();
  useEffect(() => nameCategories(names), [names]);
}

/** Keeps the fragment out of the address. */
function focusContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

function Header({ onScan }: { onScan: () => void }) {
  const [isHelpOpen, help] = useDisclosure();
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
        <Suspense>{isHelpOpen && <ShortcutsDialog onClose={help.close} />}</Suspense>
      </div>
    </header>
  );
}

/** Pages, settings and sign-out. */
function HeaderMenu({ onHelp }: { onHelp: () => void }) {
  const { code, loadCode } = useLazyCode(loadOpenMenu);
  if (code) return <code.OpenMenu onHelp={onHelp} />;
  return (
    <ActionIcon variant="subtle" color="gray" size={44} aria-label="Menu" aria-haspopup="menu" onClick={loadCode}>
      <MenuIcon />
    </ActionIcon>
  );
}

function OfflineBanner() {
  const { online } = useNetwork();
  return (
    <div role="status">
      {!online && (
        <p className={classes.offline}>
          <AlertIcon />
          {"You're offline. The list may be out of date, and you can't add animals until you're back online."}
        </p>
      )}
    </div>
  );
}

/** Offers the choice of the sign-in form to a person who signed in with a link. */
function StaySignedInOffer({ onDismiss }: { onDismiss: () => void }) {
  const session = useSession();
  return session?.isFromLink && !session.isShared && <Offer onDismiss={onDismiss} />;
}

function Offer({ onDismiss }: { onDismiss: () => void }) {
  const ref = useFocusFallback<HTMLElement>();
  return (
    <section ref={ref} aria-label="Stay signed in" className={`container ${classes.offer}`}>
      <p>{"You're signed in until you close all tabs."}</p>
      <Button variant="default" size="compact-md" onClick={() => keepSignedIn(true)}>
        Stay signed in on this device
      </Button>
      <Button variant="subtle" size="compact-md" onClick={onDismiss}>
        Not now
      </Button>
    </section>
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

/** The pages, on wide screens. */
function TopNavigation() {
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
function BottomNavigation({ onScan }: { onScan: () => void }) {
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
function ScanButton({ onScan }: { onScan: () => void }) {
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
