import { Button, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { announce } from '../../shared/announcer.js';
import { ButtonLink } from '../../shared/button-link.js';
import { CheckIcon, PlusIcon } from '../../shared/icons.js';
import { PetName } from './pet-name.js';
import classes from './pets.module.css';

interface AddedPetProps {
  pet: Pet;
  onAddAnother: () => void;
}

export function AddedPet({ pet, onAddAnother }: AddedPetProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const id = String(pet.id);
  useEffect(() => {
    // Not a button: a second Enter that was meant for the form must do nothing.
    heading.current?.focus();
    announce(`Added as number ${id}`);
  }, [id]);
  return (
    <div className={`panel ${classes.form} ${classes.added}`}>
      <h2 ref={heading} tabIndex={-1}>
        <CheckIcon />{' '}
        <Link to="/pets/$petId" params={{ petId: id }}>
          Added as number {id}
        </Link>
      </h2>
      <PetName name={pet.name} />
      <Group gap="sm">
        <Button leftSection={<PlusIcon />} onClick={onAddAnother}>
          Add another
        </Button>
        <ButtonLink to="/pets" variant="default">
          Show all animals
        </ButtonLink>
      </Group>
    </div>
  );
}
