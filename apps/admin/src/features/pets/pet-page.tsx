import { Box } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode, useEffect } from 'react';
import { announce } from '../../shared/announcer.js';
import { ButtonLink } from '../../shared/button-link.js';
import { CopyButton } from '../../shared/copy-button.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { CopyIcon, LinkIcon, PlusIcon, PrinterIcon } from '../../shared/icons.js';
import { LoadingRows } from '../../shared/loading-rows.js';
import { Page } from '../../shared/page.js';
import { useCanAdd, useCategoryNames } from '../../shared/store-info.js';
import { BackLink } from './back-link.js';
import { Neighbors } from './neighbors.js';
import { writeDraftLike } from './pet-draft.js';
import { parsePetId } from './pet-id.js';
import { PetName, plainName } from './pet-name.js';
import { PetNotFound } from './pet-not-found.js';
import { petQuery } from './pet-queries.js';
import classes from './pets.module.css';
import { StatusBadge } from './status-badge.js';

export function PetPage() {
  const { petId } = useParams({ from: '/pets/$petId' });
  const id = parsePetId(petId);
  return id === undefined ? <PetNotFound petId={petId} /> : <LoadedPet id={id} />;
}

function LoadedPet({ id }: { id: bigint }) {
  const { data: pet, error, refetch, isFetching } = useQuery(petQuery(id, useQueryClient()));
  const title = pet ? plainName(pet.name) : `Animal ${id}`;
  // The link to the next animal keeps the focus, so no screen reader reads the heading.
  useEffect(() => {
    if (document.activeElement?.matches('main nav *')) announce(`${title}, number ${id}`);
  }, [title, id]);
  if (pet === null) return <PetNotFound petId={String(id)} />;
  return (
    <Page
      title={title}
      heading={pet ? <PetName name={pet.name} /> : title}
      above={<BackLink />}
      actions={<Neighbors id={id} />}
    >
      {error && (
        <Box mb="md">
          <ErrorNotice error={error} onRetry={() => void refetch()} isRetrying={isFetching} />
        </Box>
      )}
      {pet ? <PetDetails pet={pet} /> : !error && <LoadingRows count={3} />}
    </Page>
  );
}

function PetDetails({ pet }: { pet: Pet }) {
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
