import { Alert, Button, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { type ReactNode, useEffect } from 'react';
import { ErrorNotice } from '../../shared/error-notice.js';
import { useFocusFallback } from '../../shared/focus.js';
import { statusLabels } from '../../shared/format.js';
import { AlertIcon, RefreshIcon } from '../../shared/icons.js';
import { PetLink } from '../../shared/links.js';
import { CategoryName, PetName } from '../../shared/pet-parts.js';
import { useAddPet } from './add-provider.js';
import { type Batch, batchName, SamePetsExist } from './add-queue.js';
import { MayBeAdded, OutcomeUnknown } from './create-pet.js';

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
  if (error instanceof MayBeAdded) return <MayBeAddedQuestion batch={batch} pet={error.pet} onChange={onChange} />;
  if (error instanceof SamePetsExist) return <SamePetsQuestion batch={batch} error={error} onChange={onChange} />;
  return <FailedBatch batch={batch} onChange={onChange} />;
}

function FailedBatch({ batch, onChange }: ProblemProps) {
  const { retry } = useAddPet();
  const { animals, added, error } = batch;
  const isUnknown = error instanceof OutcomeUnknown;
  const title = added.length > 0 ? addedOf(batch) : isUnknown ? error.message : 'Not added';
  return (
    <ErrorNotice error={isUnknown ? error.cause : error} title={title} action="add animals">
      <BatchAnimals batch={batch} />
      {added.length > 0 && <p>{`Not added yet: ${batchName(animals.slice(added.length))}.`}</p>}
      {isUnknown && <p>{'Try again: no animal is added twice.'}</p>}
      <Group gap="sm" mt="md">
        <Button variant="default" leftSection={<RefreshIcon />} onClick={() => retry(batch)}>
          {added.length > 0 ? `Add the other ${animals.length - added.length}` : 'Try again'}
        </Button>
        <OtherButtons batch={batch} onChange={onChange} />
      </Group>
    </ErrorNotice>
  );
}

/** "2 of 6 animals were added" */
function addedOf({ animals, added }: Batch): string {
  return `${added.length} of ${animals.length} animals were added`;
}

function BatchAnimals({ batch: { animals } }: Pick<ProblemProps, 'batch'>) {
  const [first] = animals;
  return (
    <Group component="p" gap="0.25rem 1rem">
      <PetName name={batchName(animals)} />
      {first && <CategoryName id={first.categoryId} />}
    </Group>
  );
}

/** An animal that may be added does not return to the form: it would be another animal. */
function OtherButtons({ batch, onChange }: ProblemProps) {
  const { remove } = useAddPet();
  const isOpen = batch.error instanceof OutcomeUnknown;
  return (
    <>
      {!isOpen && batch.added.length === 0 && (
        <Button variant="default" onClick={() => onChange(batch)}>
          Change it
        </Button>
      )}
      <Button variant="default" onClick={() => remove(batch)}>
        {batch.added.length > 0 ? "Don't add them" : isOpen ? 'Stop trying' : "Don't add"}
      </Button>
    </>
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

/** After another sign-in, or a day, the service does not recognize a retry. */
function MayBeAddedQuestion({ batch, pet, onChange }: ProblemProps & { pet: Pet }) {
  const { accept, addAnother } = useAddPet();
  const id = String(pet.id);
  return (
    <Question title={`This animal may already have been added as number ${id}`}>
      <BatchAnimals batch={{ ...batch, animals: batch.animals.slice(batch.added.length, batch.added.length + 1) }} />
      <p>
        The connection was lost during the last attempt. The newest animal with this name and category is{' '}
        <SamePetLink pet={pet} />. Is it the animal you wanted to add?
      </p>
      <Group gap="sm">
        <Button onClick={() => accept(batch, pet)}>{`Yes, it's number ${id}`}</Button>
        <Button variant="default" onClick={() => addAnother(batch)}>
          No, add another one
        </Button>
        <OtherButtons batch={batch} onChange={onChange} />
      </Group>
    </Question>
  );
}

const shownPets = 3;

/** Asks before an animal is added whose name and category another one has. One question for all animals of a litter. */
function SamePetsQuestion({ batch, error: { pets, others }, onChange }: ProblemProps & { error: SamePetsExist }) {
  const { addAnother, remove } = useAddPet();
  const count = batch.animals.length;
  const isLitter = count > 1;
  const known = count - others.length;
  const title = isLitter
    ? `${known} of these ${count} animals ${known === 1 ? 'is' : 'are'} already in the store`
    : 'An animal with this name is already in the store';
  return (
    <Question title={title}>
      <BatchAnimals batch={batch} />
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
        <Button variant="default" onClick={() => onChange(batch)}>
          Change it
        </Button>
        {others.length > 0 && (
          <Button variant="default" onClick={() => addAnother(batch, others)}>
            {others.length === 1 ? 'Add only the other one' : `Add only the other ${others.length}`}
          </Button>
        )}
        <Button variant="default" onClick={() => addAnother(batch)}>
          {isLitter ? `Add all ${count}` : 'Add another one'}
        </Button>
      </Group>
    </Question>
  );
}

function SamePetLink({ pet: { id, status } }: { pet: Pet }) {
  return <PetLink id={id}>{`number ${id} (${statusLabels[status].toLowerCase()})`}</PetLink>;
}
