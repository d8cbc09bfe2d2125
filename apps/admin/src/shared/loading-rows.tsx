import classes from './shared.module.css';

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
