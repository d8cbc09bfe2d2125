import { Box, Group, Stack } from '@mantine/core';
import type { CSSProperties, ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  /** The name of the tab, and the heading unless `heading` is given. */
  title: string;
  heading?: ReactNode;
  headingClass?: string | undefined;
  /** Directly after the heading. */
  beside?: ReactNode;
  /** Above the heading, for example a link back. */
  above?: ReactNode;
  /** At the end of the line of the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The heading gets the focus after navigation. */
export function Page({ title, heading = title, headingClass = '', beside, above, actions, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Petstore`}</title>
      {above}
      <Group gap="0.5rem 1rem" mb="md">
        <h1 tabIndex={-1} className={`${classes.heading} ${headingClass}`}>
          {heading}
        </h1>
        {beside}
        {actions && <Box ml="auto">{actions}</Box>}
      </Group>
      {children}
    </>
  );
}

interface SectionProps {
  title: string;
  /** Next to the heading. */
  aside?: ReactNode;
  className?: string | undefined;
  children: ReactNode;
}

/** A part of a page, in a panel. */
export function Section({ title, aside, className = '', children }: SectionProps) {
  return (
    <Box component="section" miw={0} p="0.75rem 1.25rem" className={`panel ${className}`} aria-label={title}>
      <Group gap="0 1rem" mb="xs" fz="sm" align="baseline" justify="space-between">
        <h2>{title}</h2>
        {aside}
      </Group>
      {children}
    </Box>
  );
}

interface ColumnsProps {
  /** The width of the first column. */
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
    <div
      className={`${isPlain ? '' : 'panel'} ${classes.loading}`}
      style={{ height: `calc(${count} * var(--row-height))` }}
      aria-hidden="true"
    />
  );
}

/** A placeholder for the Overview. */
export function LoadingPanels() {
  return (
    <div className={classes.loadingPanels} aria-hidden="true">
      <div className="panel" />
      <div className="panel" />
      <div className="panel" />
    </div>
  );
}

interface EmptyStateProps {
  /** In the door of a house. */
  icon: ReactNode;
  /** Not needed below a heading of the page that says the same. */
  title?: string;
  /** One sentence. */
  children?: ReactNode;
  /** The next steps. */
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
        {/* Of 1.25rem, in the middle of the door. */}
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

interface LoadingColumnsProps {
  /** The width of the first column, which has fields. */
  first: string;
  /** The rows of the second column. */
  count?: number;
}

/** The shape of a page with two columns that is loading. */
export function LoadingColumns({ first, count = 10 }: LoadingColumnsProps) {
  return (
    <Columns first={first}>
      <div className={`panel ${classes.loadingFields}`} aria-hidden="true" />
      <LoadingRows count={count} />
    </Columns>
  );
}
