import { Button } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { Link } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { announce } from '../../shared/announcer.js';
import { CheckIcon, PlusIcon } from '../../shared/icons.js';
import { ButtonLink } from '../../shared/links.js';
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
    // Not on a button: a second Enter or click that was meant for the form must do nothing.
    heading.current?.focus();
    announce(`Added as number ${id}`);
  }, [id]);
  return (
    <div className={classes.added}>
      <h2 ref={heading} tabIndex={-1}>
        <CheckIcon />{' '}
        <Link to="/pets/$petId" params={{ petId: id }}>
          Added as number {id}
        </Link>
      </h2>
      <p>
        <PetName name={pet.name} />
      </p>
      <div className={classes.actions}>
        <Button leftSection={<PlusIcon />} onClick={onAddAnother}>
          Add another
        </Button>
        <ButtonLink to="/pets" variant="default">
          Show the animals
        </ButtonLink>
      </div>
    </div>
  );
}
