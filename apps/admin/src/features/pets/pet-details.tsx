import type { Pet } from '@petstore/contracts';
import type { ReactNode } from 'react';
import { ButtonLink } from '../../shared/button-link.js';
import { CopyButton } from '../../shared/copy-button.js';
import { CopyIcon, LinkIcon, PlusIcon, PrinterIcon } from '../../shared/icons.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { writeDraftLike } from './pet-draft.js';
import classes from './pets.module.css';
import { StatusBadge } from './status-badge.js';

/** What the store knows about an animal, and what a person can do with it. */
export function PetDetails({ pet }: { pet: Pet }) {
  const id = String(pet.id);
  const categoryName = useCategoryNames().names.get(pet.categoryId);
  return (
    <div className={`panel ${classes.details}`}>
      <dl>
        <Fact term="Number">{id}</Fact>
        <Fact term="Status">
          <StatusBadge status={pet.status} />
        </Fact>
        {categoryName !== undefined && (
          <Fact term="Category">
            <bdi>{categoryName}</bdi>
          </Fact>
        )}
        <Fact term="Category number">{String(pet.categoryId)}</Fact>
      </dl>
      <PetActions pet={pet} />
    </div>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}

function PetActions({ pet }: { pet: Pet }) {
  const id = String(pet.id);
  const canAdd = useCanAdd();
  return (
    <div className={classes.actions}>
      {canAdd && (
        <ButtonLink to="/pets/new" leftSection={<PlusIcon />} onClick={() => writeDraftLike(pet)}>
          Add another like this
        </ButtonLink>
      )}
      <CopyButton text={id} icon={<CopyIcon />}>
        Copy number
      </CopyButton>
      <CopyButton text={`${location.origin}/pets/${id}`} icon={<LinkIcon />}>
        Copy link
      </CopyButton>
      <ButtonLink to="/labels" search={{ numbers: id }} variant="default" leftSection={<PrinterIcon />}>
        Print label
      </ButtonLink>
    </div>
  );
}
