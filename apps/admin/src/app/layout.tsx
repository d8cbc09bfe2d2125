import { Button, Group, type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { useNetwork } from '@mantine/hooks';
import { Link, Outlet } from '@tanstack/react-router';
import type { MouseEvent } from 'react';
import { AddNotice } from '../features/pets/add-notice.js';
import { FindField } from '../features/find/find-field.js';
import { AddPetProvider } from '../features/pets/add-pet.js';
import { Announcer } from '../shared/announcer.js';
import { AlertIcon } from '../shared/icons.js';
import { Logo } from '../shared/logo.js';
import { signOut } from '../shared/session.js';
import classes from './layout.module.css';
import { useFocusOnNavigation } from './use-focus-on-navigation.js';

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
        <Footer />
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
  return (
    <header className="header">
      <div className="container bar">
        <Link to="/" className="brand">
          <Logo /> Petstore
        </Link>
        <FindField />
        <Button variant="subtle" c="dimmed" mr="-1rem" onClick={signOut}>
          Sign out
        </Button>
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

const themes = [
  { value: 'auto', label: 'System' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
];

function Footer() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <footer className={`container ${classes.footer}`}>
      <Group justify="space-between" gap="sm">
        <NativeSelect
          label="Theme"
          data={themes}
          value={colorScheme}
          onChange={({ currentTarget }) => setColorScheme(currentTarget.value as MantineColorScheme)}
        />
        <span>Version {import.meta.env['PRODUCT_VERSION']}</span>
        <a href="/docs" className={classes.docs}>
          API documentation
        </a>
      </Group>
    </footer>
  );
}
