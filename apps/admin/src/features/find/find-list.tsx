import { Combobox, type ComboboxStore } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { type ReactElement, useEffect, useLayoutEffect } from 'react';
import { updateKnownPets } from '../../shared/known-pets/known-pets.js';
import { useFoundPets } from './find-queries.js';
import { FindResults, tryAgain } from './find-results.js';
import classes from './find.module.css';

interface FindListProps {
  text: string;
  combobox: ComboboxStore;
  onOpen: (petId: string) => void;
  /** The field. */
  children: ReactElement;
}

/** The animals found, below the field. */
export function FindList({ text, combobox, onOpen, children }: FindListProps) {
  // A scanner types a number in a few milliseconds: one request, not one per digit.
  const [settledText] = useDebouncedValue(text, 150);
  const found = useFoundPets(text && settledText);
  // The focused field was replaced when this code had loaded.
  useLayoutEffect(() => {
    if (document.activeElement === document.body) document.querySelector<HTMLElement>('#find')?.focus();
  }, []);
  // The store remembers the selected option by its position, which changes with the animals.
  useEffect(() => combobox.updateSelectedOptionIndex());
  const select = (value: string) => (value === tryAgain ? void updateKnownPets() : onOpen(value));
  return (
    <Combobox store={combobox} onOptionSubmit={select} withinPortal={false}>
      <Combobox.Target withExpandedAttribute>{children}</Combobox.Target>
      <Combobox.Dropdown className={classes.dropdown}>
        {combobox.dropdownOpened && <FindResults text={text} found={found} />}
      </Combobox.Dropdown>
    </Combobox>
  );
}
