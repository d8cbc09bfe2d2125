import type { CategoryNames } from '../../shared/store-info.js';
import classes from './pets.module.css';

/** "Rabbits 7", or only the number of a category without a name. */
export function CategoryText({ id, names }: { id: bigint; names: CategoryNames }) {
  const name = names.get(id);
  if (name === undefined) return String(id);
  return (
    <>
      <bdi>{name}</bdi> <span className={classes.categoryNumber}>{String(id)}</span>
    </>
  );
}
