import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { LoadingColumns, LoadingRows, Page } from '../../shared/page.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { useAddPet } from './add-pet.js';
import { BackLink } from './links.js';
import { NewPetForm } from './new-pet-form.js';
import { PetLines } from './pet-parts.js';
import { petListQuery } from './pet-queries.js';
import classes from './pets.module.css';

export function NewPetPage() {
  const canAdd = useCanAdd();
  const { isPending } = useCategoryNames();
  const isLoading = canAdd === undefined || isPending;
  return (
    <Page title="Add animal" above={<BackLink />}>
      {isLoading && <LoadingColumns first="minmax(0, 36rem)" />}
      {canAdd === false && <p>{"You don't have permission to add animals. Ask your manager."}</p>}
      {!isLoading && canAdd && (
        <div className={classes.add}>
          <NewPetForm />
          <NewestPets />
        </div>
      )}
    </Page>
  );
}

const newestCount = 10;

/** The newest animals of the store, and all that this tab has added since the person signed in, which are marked. */
function NewestPets() {
  const { data, isLoading } = useQuery(petListQuery({}));
  const { added } = useAddPet();
  const addedIds = new Set(added.map(({ id }) => id));
  const others =
    data?.pets.filter(({ id }) => !addedIds.has(id)).slice(0, Math.max(newestCount - added.length, 0)) ?? [];
  const pets = [...added, ...others].toSorted((a, b) => (a.id < b.id ? 1 : -1));
  if (pets.length === 0 && !isLoading) return null;
  return (
    <section className={`panel ${classes.side}`} aria-labelledby="newest">
      <div className={classes.sideHeader}>
        <h2 id="newest">Newest animals</h2>
        {added.length > 0 && (
          <p>
            <span id="just-added">{added.length} just added</span>
            <Link
              to="/labels"
              search={{
                numbers: added
                  .map(({ id }) => String(id))
                  .toReversed()
                  .join(', '),
              }}
            >
              Print labels
            </Link>
          </p>
        )}
      </div>
      {pets.length > 0 ? <PetLines pets={pets} marked={addedIds} /> : <LoadingRows count={newestCount} isPlain />}
    </section>
  );
}
