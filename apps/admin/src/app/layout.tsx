import { ActionIcon } from '@mantine/core';
import { useDisclosure, useNetwork } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import { lazy, type MouseEvent, Suspense } from 'react';
import { AddNotice } from '../features/pets/add-notice.js';
import { FindField } from '../features/find/find-field.js';
import { AddPetProvider } from '../features/pets/add-pet.js';
import { Announcer } from '../shared/announcer.js';
import { AlertIcon, MenuIcon } from '../shared/icons.js';
import { Logo } from '../shared/logo.js';
import { useLazyCode } from '../shared/use-lazy-code.js';
import classes from './layout.module.css';
import { loadOpenMenu, loadShortcutsDialog } from './lazy-chunks.js';
import { StaySignedInOffer } from './stay-signed-in-offer.js';
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
        <StaySignedInOffer />
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
