import { Alert, Box, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { ErrorNotice } from '../../shared/error-notice.js';
import { useFocusFallback } from '../../shared/focus.js';
import { AlertIcon } from '../../shared/icons.js';
import { useAddPet } from './add-pet.js';
import { PartlyAdded } from './create-pet.js';
import { type Litter, type LitterRow, litterRows, removeLitter, useLitter } from './litter.js';
import { draftNames, type PetDraft } from './pet-draft.js';
import { PetName } from './pet-parts.js';
import classes from './pets.module.css';

/** Longer previews show the first names and the last one. */
const shownNames = 6;

/** "Rex 1, Rex 2 … Rex 6". Empty for one animal. */
export function LitterPreview({ draft }: { draft: PetDraft }) {
  const names = draftNames(draft);
  if (names.length === 1) return null;
  if (draft.name.trim() === '') return <p className={classes.litterPreview}>The names get a number each.</p>;
  const shown = names.length > shownNames ? names.slice(0, shownNames - 2) : names;
  return (
    <ul className={classes.litterPreview} aria-label="Names">
      {shown.map((name) => (
        <li key={name}>{name}</li>
      ))}
      {names.length > shown.length && (
        <>
          <li aria-label={`and ${names.length - shown.length - 1} more`}>…</li>
          <li>{names.at(-1)}</li>
        </>
      )}
    </ul>
  );
}

export function LitterProgress() {
  const litter = useLitter();
  const { isPending } = useAddPet();
  const rows = litter ? litterRows(litter) : [];
  const done = rows.filter(({ state }) => state === 'added').length;
  return (
    <div role="status" className={classes.litterProgress}>
      {isPending && rows.length > 0 && (
        <>
          <progress max={rows.length} value={done} aria-label="Animals added" />
          {done} of {rows.length} added
        </>
      )}
    </div>
  );
}

/** A litter that was interrupted, by an error or because the page was closed: what was added, and how to go on. */
export function InterruptedLitter() {
  const litter = useLitter();
  const { isPending } = useAddPet();
  if (!litter || isPending) return null;
  return <LitterQuestion litter={litter} />;
}

const stateTexts: Record<Exclude<LitterRow['state'], 'added'>, string> = {
  unconfirmed: 'not confirmed yet',
  waiting: 'not added yet',
  refused: 'refused',
};

function LitterQuestion({ litter }: { litter: Litter }) {
  const { error, continueLitter, reset } = useAddPet();
  const ref = useFocusFallback<HTMLDivElement>();
  const rows = litterRows(litter);
  const added = rows.filter(({ state }) => state === 'added').length;
  const open = rows.filter(({ state }) => state === 'waiting' || state === 'unconfirmed').length;
  const name = `${rows[0]?.name} … ${rows.at(-1)?.name}`;
  return (
    <Alert
      ref={ref}
      color="yellow"
      icon={<AlertIcon />}
      title={`${added} of ${rows.length} animals were added`}
      aria-label="Animals that were interrupted"
    >
      {error instanceof PartlyAdded && error.cause !== undefined && (
        <Box mb="md">
          <ErrorNotice error={error.cause} action="add animals" />
        </Box>
      )}
      <ul className={classes.litterRows}>
        {rows.map((row) => (
          <li key={row.name}>
            <PetName name={row.name} />{' '}
            {row.state === 'added' ? (
              <Link to="/pets/$petId" params={{ petId: row.petId }}>
                number {row.petId}
              </Link>
            ) : (
              stateTexts[row.state]
            )}
          </li>
        ))}
      </ul>
      <Group gap="sm">
        {open > 0 && (
          <Button onClick={() => continueLitter(name)}>
            {open === 1 ? 'Add the other one' : `Add the other ${open}`}
          </Button>
        )}
        <Button
          variant="default"
          onClick={() => {
            removeLitter();
            reset();
          }}
        >
          {open > 0 ? "Don't add them" : 'Close'}
        </Button>
      </Group>
    </Alert>
  );
}
