import { Alert, Group } from '@mantine/core';
import { Link, useMatch } from '@tanstack/react-router';
import { ErrorNotice } from '../../shared/error-notice.js';
import { statusLabels } from '../../shared/format.js';
import { AlertIcon, RefreshIcon } from '../../shared/icons.js';
import { PetLink } from '../../shared/links.js';
import { CategoryName, PetName } from '../../shared/pet-parts.js';
import { addAnother, removeBatch, retryBatch, useQueue, useQueueOfSession } from './add-queue.js';
import { type Batch, batchName, otherAnimals, outcomeOf } from './batch.js';
import { OutcomeUnknown, SamePetsExist } from './create-pet.js';
import { type Answer, Answers, Question } from './questions.js';

/** Runs the queue above all pages. On any other page than the form, it shows what the store does not have yet. */
export function AddNotice() {
  useQueueOfSession();
  const isFormOpen = useMatch({ from: '/pets/new', shouldThrow: false }) !== undefined;
  const queue = useQueue();
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
  const error = batches[0]?.error;
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

interface ProblemProps {
  batch: Batch;
  onChange: (batch: Batch) => void;
  /** Moves the focus, before the question disappears. */
  onAnswer: () => void;
}

/** The animals that wait for the person. They never take the focus: the person may be typing. */
export function AddProblems({ onAnswer, ...props }: Omit<ProblemProps, 'batch'>) {
  const waiting = useQueue().filter(({ error }) => error);
  return waiting.map((batch) => <AddProblem key={batch.id} batch={batch} onAnswer={onAnswer} {...props} />);
}

function AddProblem({ batch, onChange, onAnswer }: ProblemProps) {
  const { error } = batch;
  const answer = (label: string, act: () => void): Answer => ({
    label,
    act: () => {
      onAnswer();
      act();
    },
  });
  // An animal that may be added does not return to the form: it would be another animal.
  const canChange = batch.added.length === 0 && !(error instanceof OutcomeUnknown);
  const changes = canChange ? [{ label: 'Change it', act: () => onChange(batch) }] : [];
  const props = { batch, answer, changes };
  return error instanceof SamePetsExist ? <SamePetsQuestion {...props} error={error} /> : <FailedBatch {...props} />;
}

interface BatchProps {
  batch: Batch;
  answer: (label: string, act: () => void) => Answer;
  changes: readonly Answer[];
}

function FailedBatch({ batch, answer, changes }: BatchProps) {
  const { animals, added, error } = batch;
  const isUnknown = error instanceof OutcomeUnknown;
  const isBegun = added.length > 0;
  const notAdded = animals.slice(added.length + (isUnknown ? 1 : 0));
  const remaining = animals.length - added.length;
  const others = remaining === 1 ? 'the other one' : `the other ${remaining}`;
  const dismissLabel = isUnknown ? 'Stop trying' : "Don't add";
  return (
    <ErrorNotice error={isUnknown ? error.cause : error} title={outcomeOf(batch)} action="add animals">
      <BatchAnimals animals={animals} />
      {isBegun && isUnknown && <p>{`We couldn't confirm that ${animals[added.length]?.name} was added.`}</p>}
      {isBegun && notAdded.length > 0 && <p>{`Not added yet: ${batchName(notAdded)}.`}</p>}
      {isUnknown && <p>{'Try again: no animal is added twice.'}</p>}
      <Answers
        answers={[
          answer(isBegun ? `Add ${others}` : 'Try again', () => retryBatch(batch)),
          ...changes,
          answer(isBegun ? `Don't add ${others}` : dismissLabel, () => removeBatch(batch)),
        ]}
      />
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

const shownPets = 3;

/** Asks before an animal is added whose name and category another one has. One question for all animals of a litter. */
function SamePetsQuestion({ batch, error, answer, changes }: BatchProps & { error: SamePetsExist }) {
  const { pets, mayBeAdded } = error;
  const animals = batch.animals.slice(batch.added.length);
  const others = otherAnimals(batch, error);
  const onlyOthers = others.length === 1 ? 'Add only the other one' : `Add only the other ${others.length}`;
  const all = animals.length > 1 ? `Add all ${animals.length}` : 'Add another one';
  return (
    <Question
      title={outcomeOf(batch)}
      answers={[
        answer("Don't add", () => removeBatch(batch)),
        ...changes,
        ...(others.length > 0 ? [answer(onlyOthers, () => addAnother(batch, others))] : []),
        answer(all, () => addAnother(batch, animals)),
      ]}
    >
      <BatchAnimals animals={animals} />
      {mayBeAdded && <p>The connection was lost during the last attempt: it may have added this animal.</p>}
      <Group component="p" gap="0.25rem 1rem">
        {pets.slice(0, shownPets).map(({ id, name, status }) => (
          <Group component="span" key={String(id)} gap="xs">
            {batch.animals.length > 1 && <PetName name={name} />}
            <PetLink id={id}>{`number ${id} (${statusLabels[status].toLowerCase()})`}</PetLink>
          </Group>
        ))}
        {pets.length > shownPets && <span>{`and ${pets.length - shownPets} more`}</span>}
      </Group>
    </Question>
  );
}
