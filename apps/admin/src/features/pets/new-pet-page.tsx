import { useState } from 'react';
import { Page } from '../../shared/page.js';
import { useAddPet } from './add-pet.js';
import { AddedPet } from './added-pet.js';
import { BackLink } from './back-link.js';
import { NewPetForm } from './new-pet-form.js';
import { emptyDraft, type PetDraft, readDraft } from './pet-draft.js';

export function NewPetPage() {
  const { pet, reset } = useAddPet();
  const [restored] = useState(readDraft);
  const [another, setAnother] = useState<PetDraft>();
  const addAnother = () => {
    if (pet) setAnother({ ...emptyDraft, category: String(pet.categoryId), status: pet.status });
    reset();
  };
  return (
    <Page title="Add animal" above={<BackLink />}>
      {pet ? <AddedPet pet={pet} onAddAnother={addAnother} /> : <NewPetForm restored={restored} another={another} />}
    </Page>
  );
}
