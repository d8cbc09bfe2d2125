import { Alert, Group } from '@mantine/core';
import { Link, useMatch } from '@tanstack/react-router';
import { AlertIcon, RefreshIcon } from '../../shared/icons.js';
import { PetName } from '../../shared/pet-parts.js';
import { useAddPet } from './add-provider.js';
import { type Batch, batchName, outcomeOf } from './add-queue.js';
import { SamePetsExist } from './create-pet.js';

/** On any other page: all animals whose form was left before they were added. */
export function AddNotice() {
  const { queue } = useAddPet();
  const isFormOpen = useMatch({ from: '/pets/new', shouldThrow: false }) !== undefined;
  const batches = isFormOpen ? [] : queue;
  return (
    <div role="status" className="container">
      {[...new Set(batches.map(outcomeOf))].map((outcome) => (
        <Outcome key={outcome} outcome={outcome} batches={batches.filter((batch) => outcomeOf(batch) === outcome)} />
      ))}
    </div>
  );
}

function Outcome({ outcome, batches }: { outcome: string; batches: readonly Batch[] }) {
  const [error] = batches.map((batch) => batch.error);
  const failure = error instanceof SamePetsExist ? 'yellow' : 'red';
  return (
    <Alert
      role="group"
      mt="md"
      color={error ? failure : 'spruce'}
      icon={error ? <AlertIcon /> : <RefreshIcon />}
      title={<span>{outcome}</span>}
    >
      <Group gap="0.25rem 1rem" style={{ whiteSpace: 'nowrap' }}>
        {batches.map(({ id, animals }) => (
          <PetName key={id} name={batchName(animals)} />
        ))}
      </Group>
      {error && <Link to="/pets/new">Go back to the form</Link>}
    </Alert>
  );
}
