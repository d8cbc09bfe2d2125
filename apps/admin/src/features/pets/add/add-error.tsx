import { Alert, Button, Group } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { type ReactNode, useEffect, useEffectEvent } from 'react';
import { ErrorNotice } from '../../../shared/error-notice.js';
import { useFocusFallback } from '../../../shared/focus.js';
import { formatCount, formatTime, statusLabels } from '../../../shared/format.js';
import { AlertIcon } from '../../../shared/icons.js';
import { useKnownPets } from '../../../shared/known-pets/known-pets.js';
import { PetLink } from '../../../shared/links.js';
import { useCategoryNames } from '../../../shared/store-info.js';
import { useAddPet } from './add-pet.js';
import { NotCompared, OutcomeUnknown, PartlyAdded, PossibleDuplicate, SamePetsExist } from './create-pet.js';
import { CategoryText, PetName } from '../pet-parts.js';
import classes from './add.module.css';

interface AddErrorProps {
  error: Error;
  onAccept: (pet: Pet) => void;
  /** Adds the animals although the store has some of them, except those with these names. */
  onAddAnother: (except?: readonly string[]) => void;
  /** Checks the animal again, then adds it. */
  onRetry: () => void;
}

/** Why the animal was not added yet, or why the outcome is unknown. */
export function AddError({ error, onAccept, onAddAnother, onRetry }: AddErrorProps) {
  if (error instanceof PossibleDuplicate) {
    return <DuplicateQuestion pet={error.pet} onAccept={onAccept} onAddAnother={onAddAnother} />;
  }
  if (error instanceof SamePetsExist) {
    const Same = error.total > 1 ? SameLitterQuestion : SamePetsQuestion;
    return <Same error={error} onAdd={onAddAnother} />;
  }
  // The litter shows it.
  if (error instanceof PartlyAdded) return null;
  if (error instanceof NotCompared) return <NotComparedQuestion onAdd={onAddAnother} onCompared={onRetry} />;
  if (!(error instanceof OutcomeUnknown)) return <ErrorNotice error={error} title="Not added" action="add animals" />;
  return (
    <ErrorNotice error={error.cause} title={error.message} action="add animals">
      <p>{"Select “Add animal” again without changing anything. The animal won't be added twice."}</p>
    </ErrorNotice>
  );
}

/** Takes the focus, but not for a button: a key that was pressed before the question appeared answers nothing. */
export function Question({ title, children }: { title: string; children: ReactNode }) {
  const ref = useFocusFallback<HTMLDivElement>();
  useEffect(() => ref.current?.focus(), [ref]);
  return (
    <Alert
      ref={ref}
      tabIndex={-1}
      color="yellow"
      icon={<AlertIcon />}
      title={title}
      classNames={{ message: classes.question }}
    >
      {children}
    </Alert>
  );
}

type DuplicateQuestionProps = Pick<AddErrorProps, 'onAccept' | 'onAddAnother'> & { pet: Pet };

function DuplicateQuestion({ pet, onAccept, onAddAnother }: DuplicateQuestionProps) {
  const id = String(pet.id);
  return (
    <Question title={`This animal may already have been added as number ${id}`}>
      <p>
        The connection was lost during your last attempt. Since then, <PetLink id={id}>number {id}</PetLink> was added
        with the same name, category and status. Is it the animal you wanted to add?
      </p>
      <Group gap="sm">
        <Button onClick={() => onAccept(pet)}>{`Yes, it's number ${id}`}</Button>
        <Button variant="default" onClick={() => onAddAnother()}>
          No, add another one
        </Button>
      </Group>
    </Question>
  );
}

interface SamePetsProps {
  error: SamePetsExist;
  onAdd: AddErrorProps['onAddAnother'];
}

const shownPets = 3;

/** Asks before an animal is added whose name and category another one has. */
function SamePetsQuestion({ error: { pets }, onAdd }: SamePetsProps) {
  const { names } = useCategoryNames();
  const [{ name, categoryId }] = pets;
  return (
    <Question title="An animal with this name is already in the store">
      <p className={classes.samePets}>
        <PetName name={name} />
        <span>
          {!names.has(categoryId) && 'category '}
          <CategoryText id={categoryId} names={names} />
        </span>
        {pets.slice(0, shownPets).map((pet) => (
          <SamePetLink key={String(pet.id)} pet={pet} />
        ))}
        {pets.length > shownPets && <span>and {pets.length - shownPets} more</span>}
      </p>
      <AddOrNot label="Add another one" onAdd={() => onAdd()} />
    </Question>
  );
}

/** One question about all animals of a litter. */
function SameLitterQuestion({ error: { pets, repeatedNames, total }, onAdd }: SamePetsProps) {
  const others = total - repeatedNames.length;
  return (
    <Question
      title={`${repeatedNames.length} of these ${total} animals ${repeatedNames.length === 1 ? 'is' : 'are'} already in the store`}
    >
      <p className={classes.samePets}>
        {pets.slice(0, shownPets).map((pet) => (
          <span key={String(pet.id)}>
            <PetName name={pet.name} />
            <SamePetLink pet={pet} />
          </span>
        ))}
        {pets.length > shownPets && <span>and {pets.length - shownPets} more</span>}
      </p>
      <AddOrNot label={`Add all ${total}`} onAdd={() => onAdd()}>
        {others > 0 && (
          <Button variant="default" onClick={() => onAdd(repeatedNames)}>
            {others === 1 ? 'Add only the other one' : `Add only the other ${others}`}
          </Button>
        )}
      </AddOrNot>
    </Question>
  );
}

function SamePetLink({ pet: { id, status } }: { pet: Pet }) {
  return (
    <PetLink id={id}>
      number {String(id)} ({statusLabels[status].toLowerCase()})
    </PetLink>
  );
}

interface NotComparedProps {
  onAdd: () => void;
  onCompared: () => void;
}

/** Asks before an animal is added while the animals of the store are still being read. */
function NotComparedQuestion({ onAdd, onCompared }: NotComparedProps) {
  const { searched, total, isComplete, isUpdating, updatedAt, error } = useKnownPets();
  const isCompared = isComplete && !isUpdating;
  const continueAdding = useEffectEvent(onCompared);
  useEffect(() => {
    if (isCompared) continueAdding();
  }, [isCompared]);
  const all = total === undefined ? '' : ` of about ${formatCount(total)}`;
  const state =
    isComplete && updatedAt !== undefined
      ? `Compared with the animals as of ${formatTime(updatedAt)}. Petstore has not listed newer ones yet.`
      : `${formatCount(searched)}${all} animals read so far.`;
  return (
    <Question title="Not compared yet with all animals of the store">
      <p>
        {error === undefined
          ? `${state} Adding continues as soon as all are compared.`
          : "The animals of the store can't be read now, so it may have the same animal already."}
      </p>
      <AddOrNot label="Add without comparing" onAdd={() => onAdd()} />
    </Question>
  );
}

interface AddOrNotProps {
  label: string;
  onAdd: () => void;
  /** Another way to add. */
  children?: ReactNode;
}

function AddOrNot({ label, onAdd, children }: AddOrNotProps) {
  const { reset } = useAddPet();
  return (
    <Group gap="sm">
      <Button onClick={onAdd} className={classes.wrapping}>
        {label}
      </Button>
      {children}
      <Button variant="default" onClick={reset}>
        {"Don't add"}
      </Button>
    </Group>
  );
}
