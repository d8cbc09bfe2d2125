import { Box, Button, Group } from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import { type QueryCache, useQueryClient } from '@tanstack/react-query';
import { Link, Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router';
import { type MouseEvent, useSyncExternalStore } from 'react';
import { AddNotice } from '../features/add/waiting-animals.js';
import { FindField } from '../features/find/find-field.js';
import { ScanDialog } from '../features/scan/scan-dialog.js';
import { refreshMs } from '../shared/api.js';
import { Announcer, useFocusFallback } from '../shared/focus.js';
import { formatTime } from '../shared/format.js';
import { AlertIcon, Logo } from '../shared/icons.js';
import { useSession } from '../shared/session.js';
import { useLiveCategories } from '../shared/store-info.js';
import { useCommands, useScans, useShortcuts } from './commands.js';
import { useFocusOnNavigation } from './focus-on-navigation.js';
import classes from './layout.module.css';
import { HeaderMenu, ShortcutsDialog } from './menu.js';
import { BottomNavigation, ScanButton, TopNavigation } from './navigation.js';

type DialogName = 'scan' | 'help';
declare module '@tanstack/react-router' {
  interface HistoryState {
    dialog?: DialogName;
  }
}

export function Layout() {
  const scan = useDialog('scan');
  const help = useDialog('help');
  const commands = useCommands({ onScan: scan.open, onHelp: help.open });
  useShortcuts(help.open);
  useScans();
  useFocusOnNavigation();
  return (
    <>
      <div className={classes.layout}>
        <a href="#content" className={classes.skip} onClick={focusContent}>
          Skip to content
        </a>
        <header className={classes.header}>
          <Group className="container" wrap="nowrap" justify="space-between" h="calc(3.5rem - 1px)">
            <Link to="/" className={classes.brand}>
              <Logo /> <span className={classes.brandName}>Petstore</span>
            </Link>
            <TopNavigation />
            <FindField commands={commands} />
            <ScanButton onScan={scan.open} />
            <HeaderMenu onHelp={help.open} />
          </Group>
        </header>
        <main id="content" tabIndex={-1}>
          <div className={classes.notices}>
            <OfflineBanner />
            <ExposedKeyNotice />
            <AddNotice />
          </div>
          <div className={`container ${classes.content}`}>
            <Outlet />
          </div>
        </main>
        <Box component="footer" hiddenFrom="md" className={classes.footer}>
          <BottomNavigation onScan={scan.open} />
        </Box>
      </div>
      <Announcer />
      <LiveCategories />
      {scan.isOpen && <ScanDialog onClose={scan.close} />}
      {help.isOpen && <ShortcutsDialog onClose={help.close} />}
    </>
  );
}

/** An open dialog is an entry of the history: Back closes it, not its page. */
function useDialog(name: DialogName) {
  const navigate = useNavigate();
  const { history } = useRouter();
  const isOpen = useRouterState({ select: ({ location }) => location.state.dialog === name });
  const open = () =>
    void navigate({ to: '.', search: true, state: (state) => ({ ...state, dialog: name }), resetScroll: false });
  const close = () => {
    if (history.location.state.dialog === name) history.back();
  };
  return { isOpen, open, close };
}

/** Keeps the names of the categories up to date. A refetch does not render the layout. */
function LiveCategories() {
  useLiveCategories(refreshMs);
  return null;
}

/** Keeps the fragment out of the address. */
function focusContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
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

/** For a person whose sign-in link had the key in its path. */
function ExposedKeyNotice() {
  const [isOpen, { close }] = useDisclosure(true);
  const isExposed = useSession()?.wasExposed ?? false;
  return isExposed && isOpen && <ExposedKey onClose={close} />;
}

function ExposedKey({ onClose }: { onClose: () => void }) {
  const ref = useFocusFallback<HTMLDivElement>();
  return (
    <Group component="section" ref={ref} gap="0.25rem 0.5rem" py={4} aria-label="Sign-in link" className="container">
      <p>Your sign-in link went through servers, which may have stored your key. Ask your manager for a new one.</p>
      <Button variant="default" size="compact-md" onClick={onClose}>
        OK
      </Button>
    </Group>
  );
}
