import type { ReactNode } from 'react';
import classes from './page.module.css';

interface PageProps {
  /** What the tab is called, when it is not the heading. */
  title: string;
  heading?: ReactNode;
  /** The way back, above the heading. */
  above?: ReactNode;
  /** Beside the heading. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A page with its heading, which takes the focus when the page is gone to. */
export function Page({ title, heading = title, above, actions, children }: PageProps) {
  return (
    <>
      <title>{`${title} · Petstore`}</title>
      {above}
      <div className={classes.head}>
        <h1 tabIndex={-1} className={classes.heading}>
          {heading}
        </h1>
        {actions}
      </div>
      {children}
    </>
  );
}
