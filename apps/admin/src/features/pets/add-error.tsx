import { Alert, Box, Button, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { useFocusFallback } from '../../shared/focus.js';
import { statusLabels } from '../../shared/format.js';
import { AlertIcon } from '../../shared/icons.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { useAddPet } from './add-pet.js';
import { OutcomeUnknown, PossibleDuplicate } from './create-pet.js';
import { CategoryText, PetName } from './pet-parts.js';
import classes from './pets.module.css';
import { SamePetsExist } from './same-pets-exist.js';

interface AddErrorProps {
  error: Error;
  onAccept: (pet: Pet) => void;
  onAddAnother: () => void;
}

/** Why the animal was not added yet, or why the outcome is unknown. */
export function AddError({ error, onAccept, onAddAnother }: AddErrorProps) {
  if (error instanceof PossibleDuplicate) {
    return <DuplicateQuestion pet={error.pet} onAccept={onAccept} onAddAnother={onAddAnother} />;
  }
  if (error instanceof SamePetsExist) return <SamePets pets={error.pets} onAdd={onAddAnother} />;
  if (!(error instanceof OutcomeUnknown)) return <ErrorNotice error={error} title="Not added" action="add animals" />;
  return (
    <ErrorNotice error={error.cause} title={error.message} action="add animals">
      <p>{"Select “Add animal” again without changing anything. The animal won't be added twice."}</p>
    </ErrorNotice>
  );
}

function DuplicateQuestion({ pet, onAccept, onAddAnother }: Omit<AddErrorProps, 'error'> & { pet: Pet }) {
  const id = String(pet.id);
  const ref = useFocusFallback<HTMLDivElement>();
  return (
    <Alert
      ref={ref}
      color="yellow"
      icon={<AlertIcon />}
      title={`This animal may already have been added as number ${id}`}
    >
      <Box component="p" m="0 0 1rem">
        The connection was lost during your last attempt. Since then,{' '}
        <Link to="/pets/$petId" params={{ petId: id }}>
          number {id}
        </Link>{' '}
        was added with the same name, category and status. Is it the animal you wanted to add?
      </Box>
      <Group gap="sm">
        <Button onClick={() => onAccept(pet)}>{`Yes, it's number ${id}`}</Button>
        <Button variant="default" onClick={onAddAnother}>
          No, add another one
        </Button>
      </Group>
    </Alert>
  );
}

interface SamePetsProps {
  pets: readonly [Pet, ...Pet[]];
  onAdd: () => void;
}

const shownPets = 3;

/** Asks before an animal is added whose name and category another one has. */
function SamePets({ pets, onAdd }: SamePetsProps) {
  const { reset } = useAddPet();
  const ref = useFocusFallback<HTMLDivElement>();
  const { names } = useCategoryNames();
  const addButton = useRef<HTMLButtonElement>(null);
  const [{ name, categoryId }] = pets;
  // Enter adds the animal.
  useEffect(() => addButton.current?.focus(), []);
  return (
    <Alert ref={ref} color="yellow" icon={<AlertIcon />} title="An animal with this name is already in the store">
      <Box component="p" m="0 0 1rem" className={classes.samePets}>
        <PetName name={name} />
        <span>
          {!names.has(categoryId) && 'category '}
          <CategoryText id={categoryId} names={names} />
        </span>
        {pets.slice(0, shownPets).map(({ id, status }) => (
          <Link key={String(id)} to="/pets/$petId" params={{ petId: String(id) }}>
            number {String(id)} ({statusLabels[status].toLowerCase()})
          </Link>
        ))}
        {pets.length > shownPets && <span>and {pets.length - shownPets} more</span>}
      </Box>
      <Group gap="sm">
        <Button ref={addButton} onClick={onAdd}>
          Add another one
        </Button>
        <Button variant="default" onClick={reset}>
          {"Don't add"}
        </Button>
      </Group>
    </Alert>
  );
}
