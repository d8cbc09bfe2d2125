import { Combobox, type ComboboxStore, Kbd } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import type { Pet } from '@petstore/contracts';
import { type ReactElement, useEffect, useLayoutEffect } from 'react';
import { categoryName } from '../../shared/filter-search.js';
import { announce } from '../../shared/focus.js';
import { formatCount, statusLabels } from '../../shared/format.js';
import { updateKnownPets, useKnownPets } from '../../shared/known-pets/known-pets.js';
import { knownText } from '../../shared/known-pets/known-text.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { type FindCommand, type Found, useFoundPets } from './find-queries.js';
import classes from './find.module.css';

interface FindActions {
  open: (petId: string) => void;
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

/** The animals found, pages and actions, below the field. */
export function FindList({ text, commands, combobox, actions, children }: FindListProps) {
  // A scanner types a number in a few milliseconds: one request, not one per digit.
  const [settledText] = useDebouncedValue(text, 150);
  const found = useFoundPets(text && settledText);
  // The focused field was replaced when this code had loaded.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#find')?.focus();
  }, []);
  // The store remembers the selected option by its position, which changes with the animals.
  useEffect(() => combobox.updateSelectedOptionIndex());
  const select = (value: string) => {
    const command = commands.find(({ label }) => label === value);
    if (value === tryAgain) void updateKnownPets();
    else if (value === showAll) actions.showAll();
    else if (command) actions.run(command);
    else actions.open(value);
  };
  return (
    <Combobox store={combobox} onOptionSubmit={select} withinPortal={false}>
      <Combobox.Target withExpandedAttribute>{children}</Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        {combobox.dropdownOpened && <FindResults text={text} commands={commands} found={found} />}
      </Combobox.Dropdown>
    </Combobox>
  );
}

/** The value of the option that repeats a failed search. Those of animals are their numbers. */
const tryAgain = 'try-again';
/** The value of the option that opens the page of all results. */
const showAll = 'show-all';

function FindResults({ text, commands, found }: { text: string; commands: readonly FindCommand[]; found: Found }) {
  const { pets, isLoading } = found;
  const known = useKnownPets();
  const isSettled = !isLoading && (known.isComplete || known.error !== undefined);
  // Without the whole store, an animal that was not found may exist.
  const isNothing = text !== '' && isSettled && known.isComplete && pets.length === 0;
  const summary = isNothing ? `No animal found for “${text}”` : countText(found);
  useEffect(() => {
    if (isSettled && text) announce(summary);
  }, [isSettled, text, summary]);
  return (
    <>
      <Combobox.Options aria-label="Animals found" className={classes.options}>
        {pets.map((pet) => (
          <FoundPet key={String(pet.id)} pet={pet} />
        ))}
        {commands.length > 0 && (
          <Combobox.Group label="Pages and actions">
            {commands.map(({ label, key }) => (
              <Combobox.Option key={label} value={label} className={classes.command}>
                {label} {key && <Kbd>{key}</Kbd>}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        )}
        {pets.length > 0 && (
          <Combobox.Option value={showAll} className={classes.all}>
            Show all {formatCount(found.count)}
          </Combobox.Option>
        )}
        {known.error !== undefined && <Combobox.Option value={tryAgain}>Try again</Combobox.Option>}
      </Combobox.Options>
      {isNothing && <p className={classes.summary}>{summary}</p>}
      <p className={classes.state}>{knownText(known)}</p>
    </>
  );
}

function FoundPet({ pet }: { pet: Pet }) {
  const { names } = useCategoryNames();
  const category = categoryName(pet.categoryId, names);
  return (
    <Combobox.Option value={String(pet.id)} className={classes.option}>
      <bdi translate="no">{pet.name}</bdi>
      <span>
        Number {String(pet.id)} · <bdi>{category}</bdi> · {statusLabels[pet.status]}
      </span>
    </Combobox.Option>
  );
}

function countText({ pets, count }: Found): string {
  if (count > pets.length) return `${pets.length} of ${formatCount(count)} animals found`;
  return count === 1 ? '1 animal found' : `${count} animals found`;
}
