import { useDisclosure, useNetwork } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, type MouseEvent, Suspense } from 'react';
import { AddNotice } from '../features/pets/add-notice.js';
import { FindField } from '../features/find/find-field.js';
import { AddPetProvider } from '../features/pets/add-pet.js';
import { Announcer } from '../shared/announcer.js';
import { AlertIcon } from '../shared/icons.js';
import { Logo } from '../shared/logo.js';
import { HeaderMenu } from './header-menu.js';
import classes from './layout.module.css';
import { loadShortcutsDialog } from './lazy-chunks.js';
import { useFocusOnNavigation } from './use-focus-on-navigation.js';
import { useShortcuts } from './use-shortcuts.js';

const ShortcutsDialog = lazy(async () => ({ default: (await loadShortcutsDialog()).ShortcutsDialog }));

export function Layout() {
  useFocusOnNavigation();
  return (
    <AddPetProvider>
      <div className="page">
        <a href="#content" className={classes.skip} onClick={focusContent}>
          Skip to content
        </a>
        <Header />
        <OfflineBanner />
        <AddNotice />
        <main id="content" tabIndex={-1} className={`container ${classes.content}`}>
          <Outlet />
        </main>
        <Announcer />
      </div>
    </AddPetProvider>
  );
}

/** Keeps the fragment out of the address. */
function focusContent(event: MouseEvent): void {
  event.preventDefault();
  document.querySelector<HTMLElement>('#content')?.focus();
}

function Header() {
  const [isHelpOpen, help] = useDisclosure();
  useShortcuts(help.open);
  return (
    <header className="header">
      <div className="container bar">
        <Link to="/" className="brand">
          <Logo /> <span className="brandName">Petstore</span>
        </Link>
        <FindField />
        <HeaderMenu onHelp={help.open} />
        <Suspense>{isHelpOpen && <ShortcutsDialog onClose={help.close} />}</Suspense>
      </div>
    </header>
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
