import { Box, Combobox, type ComboboxStore, Kbd } from '@mantine/core';
import { useDebouncedValue, useMediaQuery } from '@mantine/hooks';
import { PetstoreApiError } from '@petstore/client';
import type { Pet } from '@petstore/contracts';
import { createElement, type ReactElement, useEffect, useLayoutEffect } from 'react';
import { categoryName } from '../../shared/filter-search.js';
import { announce } from '../../shared/focus.js';
import { errorMessage } from '../../shared/error-notice.js';
import { StatusBadge } from '../../shared/pet-parts.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { canSearch, findCategories, type FindCommand, type Found, listId, useFoundPets } from './find-queries.js';
import classes from './find.module.css';
import { splitByMatch } from './split-by-match.js';

interface FindActions {
  open: (petId: string) => void;
  openCategory: (category: string) => void;
  /** Opens the page of all results. */
  showAll: () => void;
  run: (command: FindCommand) => void;
}

interface FindListProps {
  text: string;
  /** The pages and actions that match the text. */
  commands: readonly FindCommand[];
  combobox: ComboboxStore;
  actions: FindActions;
  /** The field. */
  children: ReactElement;
}

/** The categories and animals found, pages and actions, below the field. */
export function FindList({ text, commands, combobox, actions, children }: FindListProps) {
  // A scanner types a number in a few milliseconds: one request, not one per digit.
  const [settledText] = useDebouncedValue(text, 150);
  const isNarrow = useMediaQuery('(max-width: 47.99em)', undefined, { getInitialValueInEffect: false });
  const answer = useFoundPets(text && settledText);
  // Until the first results, the answer is that of the empty field.
  const isEarly = text !== '' && settledText === '';
  const found = isEarly
    ? { ...answer, pets: [], hasMore: false, hasList: false, isSettled: false, error: null }
    : answer;
  // The focused field was replaced when this code had loaded.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#find')?.focus();
  }, []);
  // The store remembers the selected option by its position, which changes with the animals.
  useEffect(() => combobox.updateSelectedOptionIndex());
  const select = (value: string) => {
    const command = commands.find(({ label }) => label === value);
    if (value === tryAgain) found.retry();
    else if (value === showAll) actions.showAll();
    else if (command) actions.run(command);
    else if (value.startsWith(categoryPrefix)) actions.openCategory(value.slice(categoryPrefix.length));
    else actions.open(value);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={select} withinPortal={false} shadow="lg" {...(isNarrow && narrowList)}>
      <Combobox.Target withExpandedAttribute>{children}</Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown} bg="var(--surface)">
        {combobox.dropdownOpened && (
          <FindResults
            text={text}
            isTyping={text !== settledText}
            commands={isNarrow && text === '' ? [] : commands}
            found={found}
          />
        )}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The width of the page, not only of the field. */
const narrowList = { width: 'calc(100vw - 2rem)', position: 'bottom' } as const;

/** The value of the option that repeats a failed search. Those of animals are their numbers. */
const tryAgain = 'try-again';
/** The value of the option that opens the page of all results. */
const showAll = 'show-all';
/** Starts the value of the option of a category. */
const categoryPrefix = 'category ';

interface FindResultsProps {
  text: string;
  /** Whether the results are those of an earlier text. */
  isTyping: boolean;
  commands: readonly FindCommand[];
  found: Found;
}

function FindResults({ text, isTyping, commands, found }: FindResultsProps) {
  const { pets, error, isSettled } = found;
  const { names } = useCategoryNames();
  const categories = findCategories(text, names);
  const isNothing = text !== '' && !isTyping && isSettled && !error && pets.length === 0;
  const nothing = canSearch(text) ? `No animal found for “${text}”` : 'Type a letter or a number to search.';
  const summary = isNothing ? nothing : countText(found);
  useEffect(() => {
    if (isSettled && !isTyping && text) announce(summary);
  }, [isSettled, isTyping, text, summary]);
  return (
    <>
      {/* Fits on an enlarged page: the list closes when the field scrolls out of view. */}
      <Combobox.Options
        id={listId}
        aria-label="Animals found"
        mah="calc(100dvh - 4.5rem)"
        style={{ overflowY: 'auto' }}
      >
        {categories.map(({ id, name }) => (
          <Combobox.Option key={String(id)} value={`${categoryPrefix}${id}`} className={classes.option}>
            <bdi title={name}>{name}</bdi>
            <span className="note">Category</span>
          </Combobox.Option>
        ))}
        {pets.map((pet) => (
          <FoundPet key={String(pet.id)} pet={pet} text={text} />
        ))}
        {found.hasList && (
          <Combobox.Option value={showAll} className={classes.option} c="var(--mantine-primary-color-filled)" fw={550}>
            Show all results
          </Combobox.Option>
        )}
        {commands.length > 0 && (
          <Combobox.Group label="Pages and actions">
            {commands.map(({ label, key }) => (
              <Combobox.Option key={label} value={label} className={`${classes.option} ${classes.command}`}>
                <span>{label}</span> {key && <Kbd>{key}</Kbd>}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        )}
        {error && <Combobox.Option value={tryAgain}>Try again</Combobox.Option>}
      </Combobox.Options>
      {(isNothing || error) && (
        <Box component="p" className="note" p="0.5rem 1rem">
          {error ? errorText(error) : summary}
        </Box>
      )}
    </>
  );
}

function errorText(error: Error): string {
  const { title } = errorMessage(error, 'see animals');
  return error instanceof PetstoreApiError ? `${title}.` : `${title}. Search needs a connection to Petstore.`;
}

/** With the match in bold. */
function FoundName({ name, text }: { name: string; text: string }) {
  const parts = splitByMatch(name, text).map((part, index) => (index % 2 === 1 ? createElement('b', {}, part) : part));
  return createElement('bdi', { title: name, translate: 'no' }, ...parts);
}

function FoundPet({ pet, text }: { pet: Pet; text: string }) {
  const { names } = useCategoryNames();
  const category = categoryName(pet.categoryId, names);
  return (
    <Combobox.Option value={String(pet.id)} className={classes.option}>
      <FoundName name={pet.name} text={text} />
      <StatusBadge status={pet.status} />
      <span className={`note ${classes.line}`} title={`Number ${pet.id} · ${category}`}>
        <span>{`Number ${pet.id} · `}</span>
        <bdi>{category}</bdi>
      </span>
    </Combobox.Option>
  );
}

function countText({ pets, hasMore }: Found): string {
  if (hasMore) return `The newest ${pets.length} animals found, and more`;
  return pets.length === 1 ? '1 animal found' : `${pets.length} animals found`;
}
