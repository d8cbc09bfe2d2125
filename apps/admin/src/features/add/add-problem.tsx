import { Alert, Button, Group } from '@mantine/core';
import { type Pet, samePetKey } from '@petstore/contracts';
import { type ReactNode, useEffect } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { useFocusFallback } from '../../shared/focus.js';
import { statusLabels } from '../../shared/format.js';
import { AlertIcon, RefreshIcon } from '../../shared/icons.js';
import { PetLink } from '../../shared/links.js';
import { CategoryName, PetName } from '../../shared/pet-parts.js';
import { useAddPet } from './add-provider.js';
import { type Batch, batchName } from './add-queue.js';
import { OutcomeUnknown, SamePetsExist } from './create-pet.js';

interface ProblemProps {
  batch: Batch;
  /** Moves the animals into the form. */
  onChange: (batch: Batch) => void;
}

/** The animals that wait for the person. They never take the focus: the person may be typing. */
export function AddProblems({ onChange }: Pick<ProblemProps, 'onChange'>) {
  const { queue } = useAddPet();
  const waiting = queue.filter(({ error }) => error);
  return waiting.map((batch) => <AddProblem key={batch.id} batch={batch} onChange={onChange} />);
}

function AddProblem({ batch, onChange }: ProblemProps) {
  const { error } = batch;
  if (error instanceof SamePetsExist) return <SamePetsQuestion batch={batch} error={error} onChange={onChange} />;
  return <FailedBatch batch={batch} onChange={onChange} />;
}

function FailedBatch({ batch, onChange }: ProblemProps) {
  const { retry, remove } = useAddPet();
  const { animals, added, error } = batch;
  const isUnknown = error instanceof OutcomeUnknown;
  const isBegun = added.length > 0;
  const addedOf = `${added.length} of ${animals.length} animals ${added.length === 1 ? 'was' : 'were'} added`;
  return (
    <ErrorNotice
      error={isUnknown ? error.cause : error}
      title={isBegun ? addedOf : isUnknown ? error.message : 'Not added'}
      action="add animals"
    >
      <BatchAnimals animals={animals} />
      {isBegun && <p>{`Not added yet: ${batchName(animals.slice(added.length))}.`}</p>}
      {isUnknown && <p>{'Try again: no animal is added twice.'}</p>}
      <Group gap="sm" mt="md">
        <Button variant="default" leftSection={<RefreshIcon />} onClick={() => retry(batch)}>
          {isBegun ? `Add the other ${animals.length - added.length}` : 'Try again'}
        </Button>
        {/* An animal that may be added does not return to the form: it would be another animal. */}
        {!isUnknown && !isBegun && (
          <Button variant="default" onClick={() => onChange(batch)}>
            Change it
          </Button>
        )}
        <Button variant="default" onClick={() => remove(batch)}>
          {isBegun ? "Don't add them" : isUnknown ? 'Stop trying' : "Don't add"}
        </Button>
      </Group>
    </ErrorNotice>
  );
}

function BatchAnimals({ animals }: Pick<Batch, 'animals'>) {
  const [first] = animals;
  return (
    <Group component="p" gap="0.25rem 1rem">
      <PetName name={batchName(animals)} />
      {first && <CategoryName id={first.categoryId} />}
    </Group>
  );
}

interface QuestionProps {
  title: string;
  /** Not for a button: a key that was pressed before the question appeared answers nothing. */
  takesFocus?: boolean;
  children: ReactNode;
}

export function Question({ title, takesFocus = false, children }: QuestionProps) {
  const ref = useFocusFallback<HTMLDivElement>();
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [ref, takesFocus]);
  return (
    <Alert ref={ref} tabIndex={-1} color="yellow" icon={<AlertIcon />} title={title}>
      {children}
    </Alert>
  );
}

const shownPets = 3;

/** Asks before an animal is added whose name and category another one has. One question for all animals of a litter. */
function SamePetsQuestion({ batch, error: { pets, mayBeAdded }, onChange }: ProblemProps & { error: SamePetsExist }) {
  const { addAnother, remove } = useAddPet();
  const isLitter = batch.animals.length > 1;
  const animals = batch.animals.slice(batch.added.length);
  const keys = new Set(pets.map(samePetKey));
  const others = animals.filter((animal) => !keys.has(samePetKey(animal)));
  const known = animals.length - others.length;
  const title = isLitter
    ? `${known} of these ${animals.length} animals ${known === 1 ? 'is' : 'are'} already in the store`
    : 'An animal with this name is already in the store';
  return (
    <Question title={title}>
      <BatchAnimals animals={animals} />
      {mayBeAdded && <p>The connection was lost during the last attempt: it may have added this animal.</p>}
      <Group component="p" gap="0.25rem 1rem">
        {pets.slice(0, shownPets).map((pet) => (
          <Group component="span" key={String(pet.id)} gap="xs">
            {isLitter && <PetName name={pet.name} />}
            <SamePetLink pet={pet} />
          </Group>
        ))}
        {pets.length > shownPets && <span>{`and ${pets.length - shownPets} more`}</span>}
      </Group>
      <Group gap="sm">
        <Button onClick={() => remove(batch)}>{"Don't add"}</Button>
        {batch.added.length === 0 && (
          <Button variant="default" onClick={() => onChange(batch)}>
            Change it
          </Button>
        )}
        {others.length > 0 && (
          <Button variant="default" onClick={() => addAnother(batch, others)}>
            {others.length === 1 ? 'Add only the other one' : `Add only the other ${others.length}`}
          </Button>
        )}
        <Button variant="default" onClick={() => addAnother(batch, animals)}>
          {animals.length > 1 ? `Add all ${animals.length}` : 'Add another one'}
        </Button>
      </Group>
    </Question>
  );
}

function SamePetLink({ pet: { id, status } }: { pet: Pet }) {
  return <PetLink id={id}>{`number ${id} (${statusLabels[status].toLowerCase()})`}</PetLink>;
}
