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
          <div className={classes.sides}>
            <JustAdded />
            <Newest />
          </div>
        </div>
      )}
    </Page>
  );
}

/** The animals that this tab has added since the person signed in, newest first. */
function JustAdded() {
  const { added } = useAddPet();
  if (added.length === 0) return null;
  const numbers = added.map(({ id }) => String(id)).toReversed();
  return (
    <section className={`panel ${classes.side}`} aria-labelledby="just-added">
      <div className={classes.sideHeader}>
        <h2 id="just-added">Just added ({added.length})</h2>
        <Link to="/labels" search={{ numbers: numbers.join(', ') }}>
          Print labels
        </Link>
      </div>
      <PetLines pets={added} />
    </section>
  );
}

const newestCount = 10;

/** What the store has already, where the page would be empty. */
function Newest() {
  const { data } = useQuery(petListQuery({}));
  const { added } = useAddPet();
  const addedIds = new Set(added.map(({ id }) => id));
  const pets = data?.pets.filter(({ id }) => !addedIds.has(id)).slice(0, newestCount) ?? [];
  if (data && pets.length === 0) return null;
  return (
    <section className={`panel ${classes.side}`} aria-labelledby="newest">
      <div className={classes.sideHeader}>
        <h2 id="newest">Newest in the store</h2>
      </div>
      {data ? <PetLines pets={pets} /> : <LoadingRows count={newestCount} isPlain />}
    </section>
  );
}
