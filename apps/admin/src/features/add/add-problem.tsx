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
import { type Batch, batchName, otherAnimals, outcomeOf } from './add-queue.js';
import { type Animal, OutcomeUnknown, SamePetsExist } from './create-pet.js';

interface ProblemProps {
  batch: Batch;
  /** Moves the animals into the form. */
  onChange: (batch: Batch) => void;
  /** Moves the focus, before the question disappears. */
  onAnswer: () => void;
}

/** The animals that wait for the person. They never take the focus: the person may be typing. */
export function AddProblems(props: Omit<ProblemProps, 'batch'>) {
  const { queue } = useAddPet();
  const waiting = queue.filter(({ error }) => error);
  return waiting.map((batch) => <AddProblem key={batch.id} batch={batch} {...props} />);
}

function AddProblem(props: ProblemProps) {
  const { error } = props.batch;
  return error instanceof SamePetsExist ? <SamePetsQuestion {...props} error={error} /> : <FailedBatch {...props} />;
}

function FailedBatch({ batch, onChange, onAnswer }: ProblemProps) {
  const { retry, remove } = useAddPet();
  const answer = (act: typeof retry) => {
    onAnswer();
    act(batch);
  };
  const { animals, added, error } = batch;
  const isUnknown = error instanceof OutcomeUnknown;
  const isBegun = added.length > 0;
  const [next, ...others] = animals.slice(added.length);
  const notAdded = isUnknown ? others : [...(next ? [next] : []), ...others];
  return (
    <ErrorNotice error={isUnknown ? error.cause : error} title={outcomeOf(batch)} action="add animals">
      <BatchAnimals animals={animals} />
      {isBegun && isUnknown && <p>{`We couldn't confirm that ${next?.name} was added.`}</p>}
      {isBegun && notAdded.length > 0 && <p>{`Not added yet: ${batchName(notAdded)}.`}</p>}
      {isUnknown && <p>{'Try again: no animal is added twice.'}</p>}
      <Group gap="sm" mt="md">
        <Button variant="default" leftSection={<RefreshIcon />} onClick={() => answer(retry)}>
          {isBegun ? `Add the other ${animals.length - added.length}` : 'Try again'}
        </Button>
        {/* An animal that may be added does not return to the form: it would be another animal. */}
        {!isUnknown && !isBegun && (
          <Button variant="default" onClick={() => onChange(batch)}>
            Change it
          </Button>
        )}
        <Button variant="default" onClick={() => answer(remove)}>
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
function SamePetsQuestion({ batch, error, onChange, onAnswer }: ProblemProps & { error: SamePetsExist }) {
  const { addAnother, remove } = useAddPet();
  const { pets, mayBeAdded } = error;
  const isLitter = batch.animals.length > 1;
  const animals = batch.animals.slice(batch.added.length);
  const others = otherAnimals(batch, error);
  const addOnly = (chosen: readonly Animal[]) => {
    onAnswer();
    addAnother(batch, chosen);
  };
  const dontAdd = () => {
    onAnswer();
    remove(batch);
  };
  return (
    <Question title={outcomeOf(batch)}>
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
        <Button onClick={dontAdd}>{"Don't add"}</Button>
        {batch.added.length === 0 && (
          <Button variant="default" onClick={() => onChange(batch)}>
            Change it
          </Button>
        )}
        {others.length > 0 && (
          <Button variant="default" onClick={() => addOnly(others)}>
            {others.length === 1 ? 'Add only the other one' : `Add only the other ${others.length}`}
          </Button>
        )}
        <Button variant="default" onClick={() => addOnly(animals)}>
          {animals.length > 1 ? `Add all ${animals.length}` : 'Add another one'}
        </Button>
      </Group>
    </Question>
  );
}

function SamePetLink({ pet: { id, status } }: { pet: Pet }) {
  return <PetLink id={id}>{`number ${id} (${statusLabels[status].toLowerCase()})`}</PetLink>;
}
