import { Box, Button, Group } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { useEffect } from 'react';
import { announce } from '../../shared/announcer.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { focusFindField } from '../../shared/focus-find-field.js';
import { LoadingRows } from '../../shared/loading-rows.js';
import { Page } from '../../shared/page.js';
import { BackLink } from './back-link.js';
import { Neighbors } from './neighbors.js';
import { PetDetails } from './pet-details.js';
import { parsePetId } from '../../shared/pet-id.js';
import { PetName, plainName } from './pet-name.js';
import { petQuery } from './pet-queries.js';

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
      heading={<PetName name={pet?.name ?? title} />}
      above={
        // Above the name, which can have several lines: "Next" stays under the pointer.
        <Group justify="space-between" gap={0}>
          <BackLink />
          <Neighbors id={id} />
        </Group>
      }
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

function PetNotFound({ petId }: { petId: string }) {
  return (
    <Page title="Animal not found" above={<BackLink />}>
      <p>
        No animal has number <bdi>{petId}</bdi>. Check the number, or search for the animal.
      </p>
      <Button onClick={focusFindField}>Search</Button>
    </Page>
  );
}
