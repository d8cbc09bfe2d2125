import type { Pet } from '@petstore/contracts';
import { useState } from 'react';
import { Page } from '../../shared/page.js';
import { AddedPet } from './added-pet.js';
import { BackToList } from './back-to-list.js';
import { emptyDraft, storedDraft } from './draft-storage.js';
import { NewPetForm } from './new-pet-form.js';
import type { PetDraft } from './pet-rules.js';

export function NewPetPage() {
  const [restored] = useState(storedDraft);
  const [start, setStart] = useState<PetDraft>(restored ?? emptyDraft);
  const [added, setAdded] = useState<Pet>();
  const addAnother = ({ categoryId, status }: Pet) => {
    setStart({ ...emptyDraft, category: String(categoryId), status });
    setAdded(undefined);
  };
  return (
    <Page title="Add an animal" above={<BackToList />}>
      {added ? (
        <AddedPet pet={added} onAddAnother={() => addAnother(added)} />
      ) : (
        <NewPetForm
          start={start}
          isRestored={start === restored}
          isAnother={start !== restored && start !== emptyDraft}
          onAdded={setAdded}
        />
      )}
    </Page>
  );
}
