import { Group } from '@mantine/core';
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
      <div className={classes.top}>
        <h1 tabIndex={-1} className={`${classes.heading} ${headingClass}`}>
          {heading}
        </h1>
        {beside}
        {actions && <div className={classes.actions}>{actions}</div>}
      </div>
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
    <section className={`panel ${classes.section} ${className}`} aria-label={title}>
      <div className={classes.sectionHeader}>
        <h2>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
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
  /** In the door of the house. */
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
    <div className={`panel ${classes.empty}`}>
      <span className={classes.drawing}>
        <svg viewBox="0 0 120 80" aria-hidden="true">
          <path d="M28 38v38h64V38L60 12z" />
          <path d="M18 43 60 9l42 34" />
          <path d="M44 76V59a16 16 0 0 1 32 0v17z" />
          <path d="M4 76h112" />
        </svg>
        {icon}
      </span>
      {title && <h2>{title}</h2>}
      {children && <p>{children}</p>}
      {actions && (
        <Group gap="sm" justify="center">
          {actions}
        </Group>
      )}
    </div>
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
