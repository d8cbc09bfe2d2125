import { LoadingRows } from '../../shared/loading-rows.js';
import { Page } from '../../shared/page.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { BackLink } from './back-link.js';
import { JustAdded } from './just-added.js';
import { NewPetForm } from './new-pet-form.js';
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
