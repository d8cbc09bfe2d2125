import { Button, Group } from '@mantine/core';
import type { PetPage } from '@petstore/client';
import { useEffect, useMemo, useState } from 'react';
import { announce, focusHeading } from '../../shared/focus.js';
import { ArrowUpIcon } from '../../shared/icons.js';
import type { ListSearch } from '../../shared/list-search.js';

export interface NewAnimalsProps {
  /** The number of new animals, which the page does not show yet. */
  newCount: number;
  hasMoreNew: boolean;
  /** Shows the latest page, or this one. */
  showNew: (latest?: PetPage) => void;
}

interface SteadyPage extends NewAnimalsProps {
  page: PetPage | undefined;
}

/**
 * Keeps the rows of the newest animals where they are: new ones above them would move what the person reads or is about to
 * press. Changes of the rows themselves are shown at once.
 */
export function useSteadyPage(search: ListSearch, latest: PetPage | undefined): SteadyPage {
  const [held, setHeld] = useState<{ search: ListSearch; page: PetPage }>();
  const isNewestFirst = search.order === undefined && search.after === undefined;
  const isHeld = isNewestFirst && held?.search === search && held.page.pets.length > 0;
  if (latest && !isHeld && held?.page !== latest) setHeld({ search, page: latest });
  const first = isHeld ? held.page : latest;
  const page = useMemo(() => first && latest && merge(first, latest), [first, latest]);
  const newCount = page && latest ? newPetsOf(page, latest).length : 0;
  return {
    page,
    newCount,
    hasMoreNew: newCount > 0 && newCount === latest?.pets.length && latest.next !== undefined,
    showNew: (newest = latest) => newest && setHeld({ search, page: newest }),
  };
}

function newPetsOf(held: PetPage, latest: PetPage) {
  const newest = held.pets.reduce((highest, { id }) => (id > highest ? id : highest), 0n);
  return latest.pets.filter(({ id }) => id > newest);
}

/** The latest page without new animals, and the animals that these have moved to the next page. */
function merge(held: PetPage, latest: PetPage): PetPage {
  const added = new Set(newPetsOf(held, latest));
  if (added.size === 0) return latest;
  const last = latest.pets.at(-1)?.id ?? 0n;
  const moved = latest.next === undefined ? [] : held.pets.filter(({ id }) => id < last);
  return { ...held, pets: [...latest.pets.filter((pet) => !added.has(pet)), ...moved] };
}

/** Over the rows, which stay where they are, and visible wherever the page is scrolled to. */
const overRows = { top: 'calc(var(--header-height) + 2.75rem)', zIndex: 3 };
const shadow = { boxShadow: '0 2px 8px rgb(10 20 15 / 25%)' };

/** "2 new animals": the rows stay where they are until the person wants to see them. */
export function NewAnimals({ newCount, hasMoreNew, showNew }: NewAnimalsProps) {
  const text = `${newCount}${hasMoreNew ? ' or more' : ''} new ${newCount === 1 ? 'animal' : 'animals'}`;
  useEffect(() => {
    if (newCount > 0) announce(text);
  }, [newCount, text]);
  if (newCount === 0) return null;
  const show = () => {
    showNew();
    focusHeading();
  };
  return (
    <Group justify="center" pos="sticky" h={0} align="start" style={overRows}>
      <Button size="compact-md" radius="xl" flex="none" style={shadow} leftSection={<ArrowUpIcon />} onClick={show}>
        {text}
      </Button>
    </Group>
  );
}
