import { Link } from '@tanstack/react-router';
import { useCategoryNames } from '../../shared/store-info.js';
import { useAddPet } from './add-pet.js';
import { PetCard } from './pet-card.js';
import { PetName } from './pet-name.js';
import classes from './pets.module.css';

/** The animals that this tab has added since the person signed in, newest first. */
export function JustAdded() {
  const { added } = useAddPet();
  const { names } = useCategoryNames();
  if (added.length === 0) return null;
  return (
    <section className={classes.justAdded} aria-labelledby="just-added">
      <h2 id="just-added">Just added ({added.length})</h2>
      <ul className={`panel ${classes.cards}`}>
        {added.map((pet) => (
          <PetCard key={String(pet.id)} pet={pet} names={names}>
            <Link to="/pets/$petId" params={{ petId: String(pet.id) }} className={classes.rowLink}>
              <PetName name={pet.name} />
            </Link>
          </PetCard>
        ))}
      </ul>
    </section>
  );
}
