import { Link } from '@tanstack/react-router';
import { LoadingRows, Page } from '../../shared/page.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { useAddPet } from './add-pet.js';
import { BackLink } from './links.js';
import { NewPetForm } from './new-pet-form.js';
import { PetCard, PetName } from './pet-parts.js';
import classes from './pets.module.css';

export function NewPetPage() {
  const canAdd = useCanAdd();
  const { isPending } = useCategoryNames();
  const isLoading = canAdd === undefined || isPending;
  return (
    <Page title="Add animal" above={<BackLink />}>
      {isLoading && <LoadingRows count={6} />}
      {canAdd === false && <p>{"You don't have permission to add animals. Ask your manager."}</p>}
      {!isLoading && canAdd && (
        <div className={classes.add}>
          <NewPetForm />
          <JustAdded />
        </div>
      )}
    </Page>
  );
}

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
