import { Box, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { CopyButton } from '../../shared/copy-button.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { CopyIcon, LinkIcon } from '../../shared/icons.js';
import { LoadingRows } from '../../shared/loading-rows.js';
import { Page } from '../../shared/page.js';
import { BackLink } from './back-link.js';
import { parsePetId } from './pet-id.js';
import { PetName, plainName } from './pet-name.js';
import { petQuery } from './pet-queries.js';
import classes from './pets.module.css';
import { StatusBadge } from './status-badge.js';

export function PetPage() {
  const { petId } = useParams({ from: '/pets/$petId' });
  const id = parsePetId(petId);
  return id === undefined ? <PetNotFound petId={petId} /> : <LoadedPet id={id} key={petId} />;
}

function LoadedPet({ id }: { id: bigint }) {
  const { data: pet, error, refetch, isFetching } = useQuery(petQuery(id, useQueryClient()));
  if (pet === null) return <PetNotFound petId={String(id)} />;
  const title = pet ? plainName(pet.name) : `Animal ${id}`;
  return (
    <Page title={title} heading={pet ? <PetName name={pet.name} /> : title} above={<BackLink />}>
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
  return (
    <>
      <dl className={`panel ${classes.details}`}>
        <div>
          <dt>Number</dt>
          <dd>{id}</dd>
        </div>
        <div>
          <dt>Category number</dt>
          <dd>{String(pet.categoryId)}</dd>
        </div>
        <div>
          <dt>Status</dt>
          <dd>
            <StatusBadge status={pet.status} />
          </dd>
        </div>
      </dl>
      <Group gap="sm">
        <CopyButton text={id} icon={<CopyIcon />}>
          Copy number
        </CopyButton>
        <CopyButton text={`${location.origin}/pets/${id}`} icon={<LinkIcon />}>
          Copy link
        </CopyButton>
      </Group>
    </>
  );
}

function PetNotFound({ petId }: { petId: string }) {
  return (
    <Page title="Animal not found" above={<BackLink />}>
      <p>
        No animal has number <bdi>{petId}</bdi>. Check the number and try again.
      </p>
    </Page>
  );
}
