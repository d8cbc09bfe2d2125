import { TextInput, useCombobox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, type SubmitEvent, useRef, useState } from 'react';
import { SearchIcon } from '../../shared/icons.js';
import { updateKnownPets } from '../../shared/known-pets/known-pets.js';
import { useLazyCode } from '../../shared/load-code.js';
import { type FindCommand, findBestMatch, findCommands } from './find-queries.js';
import classes from './find.module.css';

const loadFindList = () => import('./find-list.js');

const searchKey = navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K';

/** Before the list has loaded, the field has the same role. */
const closedCombobox = { role: 'combobox', 'aria-expanded': false, 'aria-haspopup': 'listbox' } as const;

/** Finds an animal by number, name or the address of its page, and offers pages and actions. */
export function FindField({ commands }: { commands: readonly FindCommand[] }) {
  const { text, type, combobox, actions, submit } = useFindField(commands);
  const { code, loadCode } = useLazyCode(loadFindList);
  const startSearch = () => {
    loadCode();
    void updateKnownPets();
    if (text.trim()) combobox.openDropdown();
  };
  const closeOnBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) combobox.closeDropdown();
  };
  const showAllByKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !event.shiftKey || !text.trim()) return;
    event.preventDefault();
    actions.showAll();
  };
  const input = (
    <TextInput
      id="find"
      type="search"
      {...closedCombobox}
      aria-label="Find an animal"
      placeholder="Find any animal"
      leftSection={<SearchIcon />}
      rightSection={text === '' && <kbd className={classes.key}>{searchKey}</kbd>}
      rightSectionWidth={72}
      rightSectionPointerEvents="none"
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onFocus={startSearch}
      onClick={() => combobox.openDropdown()}
      onKeyDown={showAllByKey}
    />
  );
  return (
    <search className={classes.search} onBlur={closeOnBlur}>
      <form onSubmit={(event) => void submit(event)}>
        {code ? (
          <code.FindList
            text={text.trim()}
            commands={findCommands(text, commands)}
            combobox={combobox}
            actions={actions}
          >
            {input}
          </code.FindList>
        ) : (
          input
        )}
      </form>
    </search>
  );
}

function useFindField(commands: readonly FindCommand[]) {
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
  const actions = {
    open: (petId: string) => {
      type('');
      void navigate({ to: '/pets/$petId', params: { petId } });
    },
    /** Opens the page of all results. */
    showAll: () => {
      const q = text.trim();
      type('');
      void navigate({ to: '/pets', search: { q } });
    },
    run: (command: FindCommand) => {
      type('');
      command.run();
    },
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    const id = await findBestMatch(text.trim(), queryClient);
    // The person may have typed something else in the meantime.
    if (latestText.current !== text) return;
    const [command] = findCommands(text, commands);
    if (id !== undefined) actions.open(String(id));
    else if (command) actions.run(command);
    else combobox.openDropdown();
  };
  return { text, type, combobox, actions, submit };
}
