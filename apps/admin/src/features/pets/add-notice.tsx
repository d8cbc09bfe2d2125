import { Alert, Loader } from '@mantine/core';
import { Link, useMatch } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { AlertIcon, CheckIcon } from '../../shared/icons.js';
import { useFocusFallback } from '../../shared/focus.js';
import { useAddPet } from './add-pet.js';
import { OutcomeUnknown } from './create-pet.js';
import { PetName } from './pet-parts.js';
import classes from './pets.module.css';

/** The progress and the outcome of an animal whose form was left before the answer, on any other page. */
export function AddNotice() {
  const { pet, error, isPending, name, reset } = useAddPet();
  const isFormOpen = useMatch({ from: '/pets/new', shouldThrow: false }) !== undefined;
  const [wasSeen, setWasSeen] = useState(false);
  // The form shows the outcome itself.
  const isSeen = Boolean(pet ?? error) && (isFormOpen || wasSeen);
  if (isSeen !== wasSeen) setWasSeen(isSeen);
  useEffect(() => {
    if (isSeen && !isFormOpen) reset();
  });
  return (
    <div role="status" className="container">
      {Boolean(pet ?? error) && !isSeen && <Notice />}
      {isPending && !isFormOpen && (
        <Alert role="group" className={classes.addNotice} mt="md" icon={<Loader size="1.25rem" />} title="Still adding">
          <PetName name={name} />
        </Alert>
      )}
    </div>
  );
}

function Notice() {
  const { pet, error, name, reset } = useAddPet();
  const ref = useFocusFallback<HTMLDivElement>();
  return (
    <Alert
      ref={ref}
      role="group"
      className={classes.addNotice}
      mt="md"
      color={pet ? 'spruce' : 'red'}
      icon={pet ? <CheckIcon /> : <AlertIcon />}
      title={
        pet ? (
          <Link to="/pets/$petId" params={{ petId: String(pet.id) }} onClick={reset}>
            Added as number {String(pet.id)}
          </Link>
        ) : (
          <>
            {error instanceof OutcomeUnknown ? error.message : 'Not added'}.{' '}
            <Link to="/pets/new">Go back to the form</Link>
          </>
        )
      }
      withCloseButton
      closeButtonLabel="Close message"
      onClose={reset}
    >
      <PetName name={name} />
    </Alert>
  );
}
