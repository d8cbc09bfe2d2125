import { Alert, Box, Button, Group } from '@mantine/core';
import { keyFingerprint } from '../../../shared/api.js';
import { ErrorNotice } from '../../../shared/error-notice.js';
import { useFocusFallback } from '../../../shared/focus.js';
import { AlertIcon } from '../../../shared/icons.js';
import { ButtonLink, PetLink } from '../../../shared/links.js';
import { useSession } from '../../../shared/session.js';
import { useAddPet } from './add-pet.js';
import { PartlyAdded } from './create-pet.js';
import { type Litter, type LitterRow, litterRows, removeLitter, settleRow, useLitter } from './litter.js';
import { draftNames, type PetDraft } from './pet-draft.js';
import { PetName } from '../pet-parts.js';
import classes from './add.module.css';

/** Longer previews show the first names and the last one. */
const shownNames = 6;

/** "Rex 1, Rex 2 … Rex 6". Empty for one animal. */
export function LitterPreview({ draft }: { draft: PetDraft }) {
  const names = draftNames(draft);
  if (names.length === 1) return null;
  if (draft.name.trim() === '') return <p className={`note ${classes.litterNames}`}>The names get a number each.</p>;
  const shown = names.length > shownNames ? names.slice(0, shownNames - 2) : names;
  return (
    <ul className={`note ${classes.litterNames}`} aria-label="Names">
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
  const rows = useLitterRows(litter);
  const done = rows.filter(({ state }) => isInStore(state)).length;
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

function useLitterRows(litter: Litter | undefined): LitterRow[] {
  const session = useSession();
  return litter && session ? litterRows(litter, keyFingerprint(session.key)) : [];
}

const isInStore = (state: LitterRow['state']) => state === 'added' || state === 'found';

const stateTexts: Record<LitterRow['state'], string> = {
  added: 'number',
  found: 'in the list',
  unconfirmed: 'not confirmed yet',
  unclear: 'may be in the list',
  waiting: 'not added yet',
  refused: 'refused',
};

function LitterQuestion({ litter }: { litter: Litter }) {
  const { error, continueLitter, reset } = useAddPet();
  const ref = useFocusFallback<HTMLDivElement>();
  const rows = useLitterRows(litter);
  const added = rows.filter(({ state }) => isInStore(state)).length;
  const isUnclear = rows.some(({ state }) => state === 'unclear');
  const open = rows.filter(({ state }) => state === 'waiting' || state === 'unconfirmed').length;
  const name = `${rows[0]?.name} … ${rows.at(-1)?.name}`;
  return (
    <Alert
      ref={ref}
      color="yellow"
      icon={<AlertIcon />}
      title={`${added} of ${rows.length} animals were added`}
      aria-label="Animals that were interrupted"
      classNames={{ message: classes.question }}
    >
      {error instanceof PartlyAdded && error.cause !== undefined && (
        <Box mb="md">
          <ErrorNotice error={error.cause} action="add animals" />
        </Box>
      )}
      <ul className={classes.litterRows}>
        {rows.map((row) => (
          <li key={row.line}>
            <PetName name={row.name} /> <LitterRowState row={row} />
          </li>
        ))}
      </ul>
      {isUnclear && (
        <p>
          {
            "Petstore can't tell whether an animal that may be in the list was added: you have signed in with another key since, or it was long ago. Look for it, then choose, so that it is not added twice."
          }
        </p>
      )}
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

function LitterRowState({ row: { line, name, categoryId, state, petId } }: { row: LitterRow }) {
  const text = stateTexts[state];
  if (petId !== undefined) {
    return (
      <PetLink id={petId}>
        {text} {petId}
      </PetLink>
    );
  }
  if (state !== 'unclear') return text;
  return (
    <>
      {text}
      <Group gap="xs" my="xs">
        <ButtonLink
          to="/pets"
          search={{ q: name, category: [categoryId] }}
          target="_blank"
          variant="default"
          size="compact-md"
        >
          Look for {name}
        </ButtonLink>
        <Button variant="default" size="compact-md" onClick={() => settleRow(line, true)}>
          {"It's there"}
        </Button>
        <Button variant="default" size="compact-md" onClick={() => settleRow(line, false)}>
          {"It isn't"}
        </Button>
      </Group>
    </>
  );
}
