import { Box, Group, Skeleton, Stack } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  /** The name of the tab, and the heading unless `heading` is given. */
  title: string;
  heading?: ReactNode;
  headingClass?: string | undefined;
  beside?: ReactNode;
  above?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

/** The heading gets the focus after navigation. */
export function Page({ title, heading = title, headingClass = '', beside, above, actions, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Petstore`}</title>
      <Group gap="0.5rem 1rem" mb="md" mih={{ base: 0, sm: '2.25rem' }} wrap={above ? 'nowrap' : 'wrap'}>
        {above}
        <Group gap="0.25rem 0.75rem" miw={0}>
          <h1 tabIndex={-1} className={`${classes.heading} ${headingClass}`}>
            {heading}
          </h1>
          {beside}
        </Group>
        {actions && <Box ml="auto">{actions}</Box>}
      </Group>
      {children}
    </>
  );
}

interface ColumnsProps {
  first: string;
  children: ReactNode;
}

/** Two columns, where the screen has space for them. */
export function Columns({ first, children }: ColumnsProps) {
  return (
    <div className={classes.columns} style={{ '--first': first } as CSSProperties}>
      {children}
    </div>
  );
}

interface LoadingRowsProps {
  count: number;
  isPlain?: boolean;
}

/** A placeholder for rows that are loading. `isPlain` inside a panel. */
export function LoadingRows({ count, isPlain = false }: LoadingRowsProps) {
  return (
    <Stack className={isPlain ? '' : 'panel'} gap={0} aria-hidden>
      {Array.from({ length: count }, (_, row) => (
        <Skeleton key={row} h="0.75rem" w="30%" my="calc((var(--row-height) - 0.75rem) / 2)" />
      ))}
    </Stack>
  );
}

interface ActionBarProps {
  title?: ReactNode;
  /** Why the action is not possible, or what it causes. */
  note?: ReactNode;
  children: ReactNode;
}

/** The next step of a page. Screen readers read its text aloud when it changes. */
export function ActionBar({ title, note, children }: ActionBarProps) {
  return (
    <Group className={`panel ${classes.bar}`} gap="0.5rem 1rem">
      <div role="status">
        <b>{title}</b>
        {note && <p className="note">{note}</p>}
      </div>
      {children}
    </Group>
  );
}

interface EmptyStateProps {
  /** In the door of a house. */
  icon: ReactNode;
  /** Not needed below a heading of the page that says the same. */
  title?: string;
  children?: ReactNode;
  actions?: ReactNode;
}

/** In place of content that does not exist. */
export function EmptyState({ icon, title, children, actions }: EmptyStateProps) {
  return (
    <Stack className="panel" gap="sm" align="center" ta="center" p="clamp(2rem, 8vw, 4rem) 1rem">
      <Box component="span" pos="relative" c="var(--mantine-color-spruce-light-color)">
        <svg viewBox="0 0 120 80" width="144" height="96" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden>
          <path d="M28 38v38h64V38L60 12z" fill="var(--mantine-color-spruce-light)" />
          <path d="M18 43 60 9l42 34M4 76h112" strokeLinecap="round" />
          <path d="M44 76V59a16 16 0 0 1 32 0v17z" fill="var(--surface)" />
        </svg>
        {/* The icon is 1.25rem wide, and stands in the middle of the door. */}
        <Box component="span" pos="absolute" bottom="0.75rem" left="calc(50% - 0.625rem)" display="flex">
          {icon}
        </Box>
      </Box>
      {title && <h2>{title}</h2>}
      {children && (
        <Box component="p" c="dimmed" maw="32rem">
          {children}
        </Box>
      )}
      {actions && (
        <Group gap="sm" justify="center">
          {actions}
        </Group>
      )}
    </Stack>
  );
}
