import { Button } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../shared/error-notice.js';
import { useFocusHeir } from '../../shared/use-focus-heir.js';
import { MayBeAdded, OutcomeUnknown } from './add-errors.js';
import classes from './pets.module.css';

interface NotAddedProps {
  error: unknown;
  /** The animal that is there is the one that was meant. */
  onTake: (pet: Pet) => void;
  /** It is not: one more is to be added. */
  onAddAnyway: () => void;
}

/** Why an animal was not added, or that it is not known whether it was. */
export function NotAdded({ error, ...answers }: NotAddedProps) {
  if (error instanceof MayBeAdded) return <MayBeAddedQuestion pet={error.twin} {...answers} />;
  if (!(error instanceof OutcomeUnknown)) return <ErrorNotice error={error} title="Not added" />;
  return (
    <ErrorNotice error={error.cause} title={error.message}>
      <p>
        Add it again as it is: the service recognises it, and never adds it twice. Changed, it would be another animal.
      </p>
    </ErrorNotice>
  );
}

function MayBeAddedQuestion({ pet, onTake, onAddAnyway }: Omit<NotAddedProps, 'error'> & { pet: Pet }) {
  const id = String(pet.id);
  const ref = useFocusHeir<HTMLDivElement>();
  return (
    <div ref={ref} role="alert" className={classes.question}>
      <h2>It may already have been added as number {id}</h2>
      <p>
        The answer to your last try was lost. Since then{' '}
        <Link to="/pets/$petId" params={{ petId: id }}>
          number {id}
        </Link>{' '}
        has come in, with the same name, category and status. Is it the one you added?
      </p>
      <div className={classes.actions}>
        <Button onClick={() => onTake(pet)}>Yes, it is number {id}</Button>
        <Button variant="default" onClick={onAddAnyway}>
          No, add one more
        </Button>
      </div>
    </div>
  );
}
