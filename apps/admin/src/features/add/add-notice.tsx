import { Alert } from '@mantine/core';
import { Link, useMatch } from '@tanstack/react-router';
import { AlertIcon, RefreshIcon } from '../../shared/icons.js';
import { PetName } from '../../shared/pet-parts.js';
import { useAddPet } from './add-provider.js';
import { batchName } from './add-queue.js';

/** On any other page: the animals whose form was left before they were added. */
export function AddNotice() {
  const { queue } = useAddPet();
  const isFormOpen = useMatch({ from: '/pets/new', shouldThrow: false }) !== undefined;
  const batch = isFormOpen ? undefined : (queue.find(({ error }) => error) ?? queue[0]);
  const isFailed = batch?.error !== undefined;
  return (
    <div role="status" className="container">
      {batch && (
        <Alert
          role="group"
          style={{ whiteSpace: 'nowrap' }}
          mt="md"
          color={isFailed ? 'red' : 'spruce'}
          icon={isFailed ? <AlertIcon /> : <RefreshIcon />}
          title={<span>{isFailed ? 'Not added' : 'Still adding'}</span>}
        >
          <PetName name={batchName(batch.animals)} />
          {isFailed && <Link to="/pets/new">Go back to the form</Link>}
        </Alert>
      )}
    </div>
  );
}
