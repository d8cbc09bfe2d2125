import { Group } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './shared.module.css';

interface PageProps {
  /** The name of the tab, and the heading unless `heading` is given. */
  title: string;
  heading?: ReactNode;
  /** Above the heading, for example a link back. */
  above?: ReactNode;
  /** Next to the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** The heading gets the focus after navigation. */
export function Page({ title, heading = title, above, actions, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Petstore`}</title>
      {above}
      <Group justify="space-between" gap="sm" mb="md">
        <h1 tabIndex={-1} className={classes.heading}>
          {heading}
        </h1>
        {actions}
      </Group>
      {children}
    </>
  );
}

/** A placeholder for rows that are loading. */
export function LoadingRows({ count }: { count: number }) {
  return (
    <div
      className={`panel ${classes.loading}`}
      style={{ height: `calc(${count} * var(--row-height))` }}
      aria-hidden="true"
    />
  );
}
