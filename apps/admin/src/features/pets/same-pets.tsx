import { Alert, Box, Button, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { AlertIcon } from '../../shared/icons.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { useFocusFallback } from '../../shared/use-focus-fallback.js';
import { useAddPet } from './add-pet.js';
import { CategoryText } from './category-text.js';
import { PetName } from './pet-name.js';
import classes from './pets.module.css';
import { statusLabels } from '../../shared/status-labels.js';

interface SamePetsProps {
  pets: readonly [Pet, ...Pet[]];
  onAdd: () => void;
}

const shownPets = 3;

/** Asks before an animal is added whose name and category another one has. */
export function SamePets({ pets, onAdd }: SamePetsProps) {
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
