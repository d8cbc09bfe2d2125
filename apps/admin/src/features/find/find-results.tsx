import { Combobox } from '@mantine/core';
import type { Pet } from '@petstore/contracts';
import { useEffect } from 'react';
import { announce } from '../../shared/announcer.js';
import { errorMessage } from '../../shared/error-messages.js';
import { formatCount } from '../../shared/format-count.js';
import { type KnownPetsState, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { statusLabels } from '../../shared/status-labels.js';
import { useCategoryNames } from '../../shared/store-info.js';
import classes from './find.module.css';
import type { Found } from './find-queries.js';

/** The value of the option that repeats a failed search. The others are animal numbers. */
export const tryAgain = 'try-again';

export function FindResults({ text, found }: { text: string; found: Found }) {
  const { pets, isLoading } = found;
  const known = useKnownPets();
  const isSettled = !isLoading && (known.isComplete || known.error !== undefined);
  const isNothing = isSettled && pets.length === 0;
  const summary = isNothing ? `No animal found for “${text}”` : countText(found);
  useEffect(() => {
    if (isSettled) announce(summary);
  }, [isSettled, summary]);
  return (
    <>
      <Combobox.Options aria-label="Animals found" className={classes.options}>
        {pets.map((pet) => (
          <FoundPet key={String(pet.id)} pet={pet} />
        ))}
        {known.error !== undefined && <Combobox.Option value={tryAgain}>Try again</Combobox.Option>}
      </Combobox.Options>
      {(isNothing || found.count > pets.length) && <p className={classes.summary}>{summary}</p>}
      <p className={classes.state}>{stateText(known)}</p>
    </>
  );
}

function FoundPet({ pet }: { pet: Pet }) {
  const { names } = useCategoryNames();
  const category = names.get(pet.categoryId) ?? `Category ${pet.categoryId}`;
  return (
    <Combobox.Option value={String(pet.id)} className={classes.option} data-sold={pet.status === 'sold' || undefined}>
      <bdi>{pet.name}</bdi>
      <span>
        Number {String(pet.id)} · <bdi>{category}</bdi> · {statusLabels[pet.status]}
      </span>
    </Combobox.Option>
  );
}

function countText({ pets, count }: Found): string {
  if (count > pets.length) return `${pets.length} of ${formatCount(count)} animals found. Type more.`;
  return count === 1 ? '1 animal found' : `${count} animals found`;
}

/** "Searched 2,521 animals, updated 14:02" */
function stateText({ searched, isComplete, isLimitReached, updatedAt, error }: KnownPetsState): string {
  const which = isLimitReached ? 'the newest ' : '';
  const text = `Searched ${which}${formatCount(searched)} animals`;
  if (error !== undefined) return `${text}. ${errorMessage(error, 'see animals').title}.`;
  if (!isComplete) return `${text} so far…`;
  const time = new Date(updatedAt ?? 0).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit' });
  return `${text}, updated ${time}`;
}
