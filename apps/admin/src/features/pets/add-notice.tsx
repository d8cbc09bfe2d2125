import { CloseButton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { AlertIcon, CheckIcon } from '../../shared/icons.js';
import { useFocusHeir } from '../../shared/use-focus-heir.js';
import { OutcomeUnknown } from './add-errors.js';
import { type AddOutcome, forgetOutcome, useUntoldOutcome } from './add-outcome.js';
import { PetName } from './pet-name.js';
import classes from './pets.module.css';

/** How an add has ended whose form was left: on whatever page one is. */
export function AddNotice() {
  const outcome = useUntoldOutcome();
  return <div role="status">{outcome && <Notice outcome={outcome} />}</div>;
}

function Notice({ outcome }: { outcome: AddOutcome }) {
  const ref = useFocusHeir<HTMLDivElement>();
  const isAdded = 'pet' in outcome;
  return (
    <div ref={ref} className={classes.addNotice} data-added={isAdded}>
      {isAdded ? <CheckIcon /> : <AlertIcon />}
      <div>
        <p>{isAdded ? <Added id={String(outcome.pet.id)} /> : <NotAdded error={outcome.error} />}</p>
        <PetName name={isAdded ? outcome.pet.name : outcome.name} />
      </div>
      <CloseButton size={44} iconSize={20} aria-label="Close this message" onClick={forgetOutcome} />
    </div>
  );
}

function Added({ id }: { id: string }) {
  return (
    <Link to="/pets/$petId" params={{ petId: id }} onClick={forgetOutcome}>
      Added as number {id}
    </Link>
  );
}

function NotAdded({ error }: { error: unknown }) {
  return (
    <>
      {error instanceof OutcomeUnknown ? error.message : 'Not added'}. <Link to="/pets/new">Go back to the form</Link>
    </>
  );
}
