import { Link } from '@tanstack/react-router';
import { useCategoryNames } from '../../shared/store-info.js';
import { useAddPet } from './add-pet.js';
import { CategoryText } from './category-text.js';
import { PetName } from './pet-name.js';
import classes from './pets.module.css';
import { StatusBadge } from './status-badge.js';

/** The animals that this tab has added since the person signed in, newest first. */
export function JustAdded() {
  const { added } = useAddPet();
  const { names } = useCategoryNames();
  if (added.length === 0) return null;
  return (
    <section className={classes.justAdded} aria-labelledby="just-added">
      <h2 id="just-added">Just added ({added.length})</h2>
      <ul className={`panel ${classes.cards}`}>
        {added.map(({ id, name, categoryId, status }) => (
          <li key={String(id)}>
            <Link to="/pets/$petId" params={{ petId: String(id) }} className={classes.rowLink}>
              <PetName name={name} />
            </Link>
            <StatusBadge status={status} />
            <p>
              <span>Number {String(id)}</span>{' '}
              <span>
                {!names.has(categoryId) && 'Category '}
                <CategoryText id={categoryId} names={names} />
              </span>
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}
