import classes from './shared.module.css';

/** A placeholder for rows that are loading. */
export function LoadingRows({ count }: { count: number }) {
  return <div className={`panel ${classes.loading}`} style={{ height: `${count * 52}px` }} aria-hidden="true" />;
}
