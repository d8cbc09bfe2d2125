import { TextInput, useCombobox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, type SubmitEvent, useRef, useState } from 'react';
import { SearchIcon } from '../../shared/icons.js';
import { updateKnownPets } from '../../shared/known-pets/known-pets.js';
import { useLazyCode } from '../../shared/load-code.js';
import { findBestMatch } from './find-queries.js';
import classes from './find.module.css';

const loadFindList = () => import('./find-list.js');

/** Before the list has loaded, the field has the same role. */
const closedCombobox = { role: 'combobox', 'aria-expanded': false, 'aria-haspopup': 'listbox' } as const;

/** Finds an animal by number, name or the address of its page. */
export function FindField() {
  const { text, type, combobox, open, showAll, submit } = useFindField();
  const { code, loadCode } = useLazyCode(loadFindList);
  const startSearch = () => {
    loadCode();
    void updateKnownPets();
    if (text.trim()) combobox.openDropdown();
  };
  const closeOnBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) combobox.closeDropdown();
  };
  const input = (
    <TextInput
      id="find"
      type="search"
      {...closedCombobox}
      aria-label="Find an animal"
      placeholder="Find by name or number"
      leftSection={<SearchIcon />}
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onFocus={startSearch}
    />
  );
  return (
    <search className={classes.search} onBlur={closeOnBlur}>
      <form onSubmit={(event) => void submit(event)}>
        {code ? (
          <code.FindList text={text.trim()} combobox={combobox} onOpen={open} onShowAll={showAll}>
            {input}
          </code.FindList>
        ) : (
          input
        )}
      </form>
    </search>
  );
}

function useFindField() {
  const [text, setText] = useState('');
  const latestText = useRef(text);
  const combobox = useCombobox();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const type = (value: string) => {
    setText(value);
    latestText.current = value;
    combobox.resetSelectedOption();
    if (value.trim()) combobox.openDropdown();
    else combobox.closeDropdown();
  };
  const open = (petId: string) => {
    type('');
    void navigate({ to: '/pets/$petId', params: { petId } });
  };
  const showAll = () => {
    const q = text.trim();
    type('');
    void navigate({ to: '/pets', search: { q } });
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    const id = await findBestMatch(text.trim(), queryClient);
    // The person may have typed something else in the meantime.
    if (latestText.current !== text) return;
    if (id === undefined) combobox.openDropdown();
    else open(String(id));
  };
  return { text, type, combobox, open, showAll, submit };
}
