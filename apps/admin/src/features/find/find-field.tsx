import { Combobox, TextInput, useCombobox } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, type SubmitEvent, useEffect, useState } from 'react';
import { SearchIcon } from '../../shared/icons.js';
import { updateKnownPets } from '../../shared/known-pets/known-pets.js';
import { findBestMatch, useFoundPets } from './find-queries.js';
import { FindResults, tryAgain } from './find-results.js';
import classes from './find.module.css';

/** Finds an animal by number, name or the address of its page. */
export function FindField() {
  const { text, setText, combobox, found, submit, select } = useFindField();
  const type = (value: string) => {
    setText(value);
    combobox.resetSelectedOption();
    if (value.trim()) combobox.openDropdown();
    else combobox.closeDropdown();
  };
  const closeOnBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) combobox.closeDropdown();
  };
  return (
    <search className={classes.search} onBlur={closeOnBlur}>
      <form onSubmit={(event) => void submit(event)}>
        <Combobox store={combobox} onOptionSubmit={select} withinPortal={false}>
          <Combobox.Target withExpandedAttribute>
            <TextInput
              id="find"
              type="search"
              aria-label="Find an animal"
              placeholder="Find by name or number"
              leftSection={<SearchIcon />}
              value={text}
              onChange={({ currentTarget }) => type(currentTarget.value)}
              onFocus={() => void updateKnownPets()}
            />
          </Combobox.Target>
          <Combobox.Dropdown className={classes.dropdown}>
            {combobox.dropdownOpened && <FindResults text={text.trim()} found={found} />}
          </Combobox.Dropdown>
        </Combobox>
      </form>
    </search>
  );
}

function useFindField() {
  const [text, setText] = useState('');
  const combobox = useCombobox();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  // A scanner types a number in a few milliseconds: one request, not one per digit.
  const [settledText] = useDebouncedValue(text.trim(), 150);
  const found = useFoundPets(text.trim() && settledText);
  const { updateSelectedOptionIndex } = combobox;
  // The store remembers the selected option by its position, which changes with the animals.
  useEffect(() => updateSelectedOptionIndex());

  const open = (petId: string) => {
    setText('');
    combobox.closeDropdown();
    void navigate({ to: '/pets/$petId', params: { petId } });
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    const id = await findBestMatch(text.trim(), queryClient);
    if (id === undefined) combobox.openDropdown();
    else open(String(id));
  };
  const select = (value: string) => (value === tryAgain ? void updateKnownPets() : open(value));
  return { text, setText, combobox, found, submit, select };
}
