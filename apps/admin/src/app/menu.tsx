import { Button, Group, Kbd, type MantineColorScheme, Menu, useMantineColorScheme } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useAddPet } from '../features/add/add-provider.js';
import { MenuIcon } from '../shared/icons.js';
import { iconButton } from '../shared/links.js';
import { keepSignedIn, signOut, useSession } from '../shared/session.js';
import { Dialog } from '../shared/dialog.js';

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
      {/* Fits on an enlarged page: the menu closes when its button scrolls out of view. */}
      <Menu.Dropdown mah="calc(100dvh - 4.5rem)" style={{ overflowY: 'auto' }}>
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

const droppedQuestion = 'Some animals may not be added yet. Sign out, and stop adding them?';

function SessionItems() {
  const session = useSession();
  const { queue } = useAddPet();
  const leave = () => {
    if (queue.length === 0 || confirm(droppedQuestion)) signOut();
  };
  return (
    <>
      <Menu.CheckboxItem checked={session?.isShared ?? false} onChange={keepSignedIn}>
        Stay signed in on this device
      </Menu.CheckboxItem>
      <Menu.Item onClick={leave}>Sign out</Menu.Item>
    </>
  );
}

const shortcuts = [
  { keys: ['Ctrl', 'k'], action: 'Find animals, pages and actions' },
  { keys: ['/'], action: 'The same' },
  { keys: ['0', '…', '9'], action: 'Find an animal by number' },
  { keys: ['Shift', 'Enter'], action: 'Show all results of a search' },
  { keys: ['?'], action: 'Show this help' },
];

export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl>
        {shortcuts.map(({ keys, action }) => (
          <Group key={action} mih="2.25rem" wrap="nowrap">
            <Group component="dt" gap={4} w="7.5rem" flex="none" wrap="nowrap">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </Group>
            <dd>{action}</dd>
          </Group>
        ))}
      </dl>
    </Dialog>
  );
}
