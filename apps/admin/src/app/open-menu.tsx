import { Button, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { MenuIcon } from '../shared/icons.js';
import { iconButton } from '../shared/links.js';
import { keepSignedIn, signOut, useSession } from '../shared/session.js';
import classes from './layout.module.css';

const themes = { auto: 'System theme', light: 'Light theme', dark: 'Dark theme' };

/** The button and its menu, opened by the click that loaded it. */
export function OpenMenu({ onHelp }: { onHelp: () => void }) {
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // The menu returns the focus to where it was when it opened.
    button.current?.focus();
    button.current?.click();
  }, []);
  return (
    <Menu
      position="bottom-end"
      width={300}
      shadow="md"
      alignItemsLabels="all"
      withinPortal={false}
      withInitialFocusPlaceholder={false}
    >
      <Menu.Target>
        <Button {...iconButton} aria-label="Menu" ref={button}>
          <MenuIcon />
        </Button>
      </Menu.Target>
      <Menu.Dropdown className={classes.menu}>
        <ThemeItems />
        <Menu.Divider />
        <Menu.Item onClick={onHelp}>Show keyboard shortcuts</Menu.Item>
        <Menu.Item renderRoot={(props) => <Link to="/guide" {...props} />}>Guide</Menu.Item>
        <Menu.Divider />
        <SessionItems />
        <Menu.Divider />
        <Menu.Label>{`Version ${import.meta.env['PRODUCT_VERSION']}`}</Menu.Label>
      </Menu.Dropdown>
    </Menu>
  );
}

function ThemeItems() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Menu.RadioGroup value={colorScheme} onChange={(value) => setColorScheme(value as MantineColorScheme)}>
      {Object.entries(themes).map(([value, label]) => (
        <Menu.RadioItem key={value} value={value}>
          {label}
        </Menu.RadioItem>
      ))}
    </Menu.RadioGroup>
  );
}

function SessionItems() {
  const session = useSession();
  return (
    <>
      <Menu.CheckboxItem checked={session?.isShared ?? false} onChange={keepSignedIn}>
        Stay signed in on this device
      </Menu.CheckboxItem>
      <Menu.Item onClick={signOut}>Sign out</Menu.Item>
    </>
  );
}
