import {
  Button,
  Group,
  Kbd,
  type MantineColorScheme,
  Popover,
  SegmentedControl,
  Stack,
  useMantineColorScheme,
} from '@mantine/core';
import { useLocation } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { Dialog } from '../shared/dialog.js';
import {
  BookIcon,
  DownloadIcon,
  KeyboardIcon,
  MenuIcon,
  MoonIcon,
  PrinterIcon,
  SignOutIcon,
  SunIcon,
  SystemIcon,
  UploadIcon,
} from '../shared/icons.js';
import { ButtonLink, iconButton } from '../shared/links.js';
import { keepSignedIn, signOut, useSession } from '../shared/session.js';
import { useCanAdd, useKeyInfo } from '../shared/store-info.js';
import { hasUnfinishedWork } from '../shared/unfinished-work.js';
import classes from './layout.module.css';

/** Shows whose key it is, and leads to the other pages and to the settings. */
export function HeaderMenu({ onHelp }: { onHelp: () => void }) {
  const path = useLocation({ select: ({ pathname }) => pathname });
  /** The page over which it is open: a scan may open another one. */
  const [openAt, setOpenAt] = useState<string>();
  const isOpen = openAt === path;
  if (openAt !== undefined && !isOpen) setOpenAt(undefined);
  const close = () => setOpenAt(undefined);
  const openHelp = () => {
    close();
    onHelp();
  };
  return (
    <Popover
      opened={isOpen}
      onDismiss={close}
      position="bottom-end"
      width="min(20rem, calc(100vw - 2rem))"
      shadow="md"
      withinPortal={false}
      trapFocus
      returnFocus
    >
      <Popover.Target>
        <Button {...iconButton} aria-label="Menu" onClick={() => setOpenAt(isOpen ? undefined : path)}>
          <MenuIcon />
        </Button>
      </Popover.Target>
      {/* Fits on an enlarged page: the menu closes when its button scrolls out of view. */}
      <Popover.Dropdown p="xs" mah="calc(100dvh - 4.5rem)" style={{ overflowY: 'auto' }} aria-label="Menu">
        <Stack gap="xs">
          <Identity />
          <PageLinks onOpen={close} />
          <Button {...menuItem} leftSection={<KeyboardIcon />} onClick={openHelp}>
            Keyboard shortcuts
          </Button>
          <ThemeChoice />
          <SessionItems onSignOut={close} />
          <p className={`note ${classes.identity}`}>{`Version ${import.meta.env['PRODUCT_VERSION']}`}</p>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const menuItem = { variant: 'subtle', c: 'inherit', justify: 'start', fullWidth: true, size: 'sm' } as const;

function Identity() {
  const info = useKeyInfo();
  const canAdd = useCanAdd();
  return (
    <div className={classes.identity}>
      <b>{info?.name ?? 'Signed in'}</b>
      {canAdd !== undefined && <p className="note">{canAdd ? 'Can see and add animals' : 'Can see animals'}</p>}
    </div>
  );
}

/** On narrow screens, also the pages that the navigation of wide ones has. */
function PageLinks({ onOpen }: { onOpen: () => void }) {
  const canAdd = useCanAdd();
  const link = { ...menuItem, onClick: onOpen };
  return (
    <Stack gap={0}>
      {/* First: the menu focuses its first link, and would try that with a hidden one too. */}
      <ButtonLink to="/export" leftSection={<DownloadIcon />} {...link}>
        Export animals
      </ButtonLink>
      {canAdd !== false && (
        <ButtonLink to="/import" hiddenFrom="md" leftSection={<UploadIcon />} {...link}>
          Import animals
        </ButtonLink>
      )}
      <ButtonLink to="/labels" hiddenFrom="md" leftSection={<PrinterIcon />} {...link}>
        Print labels
      </ButtonLink>
      <ButtonLink to="/guide" leftSection={<BookIcon />} {...link}>
        Guide
      </ButtonLink>
    </Stack>
  );
}

const themes: { value: MantineColorScheme; icon: ReactNode; name: string }[] = [
  { value: 'light', icon: <SunIcon />, name: 'Light' },
  { value: 'dark', icon: <MoonIcon />, name: 'Dark' },
  { value: 'auto', icon: <SystemIcon />, name: 'System' },
];

function ThemeChoice() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <SegmentedControl
      aria-label="Theme"
      fullWidth
      value={colorScheme}
      onChange={(value) => setColorScheme(value)}
      data={themes.map(({ value, icon, name }) => ({
        value,
        label: (
          <Group gap={6} justify="center" wrap="nowrap">
            {icon} {name}
          </Group>
        ),
      }))}
    />
  );
}

const droppedQuestion = 'Some animals may not be added yet. Sign out, and stop adding them?';

function SessionItems({ onSignOut }: { onSignOut: () => void }) {
  const session = useSession();
  const leave = () => {
    onSignOut();
    if (!hasUnfinishedWork() || confirm(droppedQuestion)) signOut();
  };
  return (
    <>
      <label className={`check ${classes.identity}`}>
        <input
          type="checkbox"
          checked={session?.isShared ?? false}
          onChange={({ currentTarget }) => keepSignedIn(currentTarget.checked)}
        />
        Stay signed in on this device
      </label>
      <Button {...menuItem} leftSection={<SignOutIcon />} onClick={leave}>
        Sign out
      </Button>
    </>
  );
}

const shortcuts = [
  { keys: ['Ctrl', 'K'], action: 'Find animals, pages and actions' },
  { keys: ['/'], action: 'Find animals, pages and actions' },
  { keys: ['0', '…', '9'], action: 'Find an animal by number' },
  { keys: ['Shift', 'Enter'], action: 'Show all results of a search' },
  { keys: ['↑', '↓'], action: 'Previous or next row of the list' },
  { keys: ['Home', 'End'], action: 'First or last row of the list' },
  { keys: ['Space'], action: 'Select the animal' },
  { keys: ['Esc'], action: 'Go back from an animal to the list' },
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
