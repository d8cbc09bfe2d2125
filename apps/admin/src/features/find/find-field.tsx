import { Box, Kbd, TextInput, useCombobox } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { SearchIcon } from '../../shared/icons.js';
import { useLazyCode } from '../../shared/load-code.js';
import { searchText } from '../../shared/filter-search.js';
import { parseLabelAddress } from '../../shared/pet-id.js';
import { useScannerTab } from '../../shared/scanner-tab.js';
import { useCategoryNames } from '../../shared/store-info.js';
import { type FindCommand, findCommands, findMeant, listId, type Meant, meantCommand } from './find-queries.js';
import classes from './find.module.css';

const loadFindList = () => import('./find-list.js');

const searchKey = (
  <Kbd size="xs" visibleFrom="md">
    {navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'}
  </Kbd>
);

/** Before the list has loaded, the field has the same role. */
const closedCombobox = { role: 'combobox', 'aria-expanded': false, 'aria-haspopup': 'listbox' } as const;

/** Finds animals by number, name or the address of a page, categories by name, and offers pages and actions. */
export function FindField({ commands }: { commands: readonly FindCommand[] }) {
  const { text, type, combobox, actions, submit } = useFindField(commands);
  const { code, loadCode } = useLazyCode(loadFindList);
  const submitByTab = useScannerTab(({ form }) => form?.requestSubmit());
  const startSearch = () => {
    loadCode();
    if (text.trim()) combobox.openDropdown();
  };
  const closeOnBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) combobox.closeDropdown();
  };
  const pressKey = (event: KeyboardEvent<HTMLInputElement>) => {
    submitByTab(event);
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
      rightSection={text === '' && searchKey}
      rightSectionWidth={72}
      rightSectionPointerEvents="none"
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onFocus={startSearch}
      onClick={() => combobox.openDropdown()}
      onKeyDown={pressKey}
    />
  );
  return (
    <Box component="search" flex={1} miw={0} maw="28rem" className={classes.search} onBlur={closeOnBlur}>
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
    </Box>
  );
}

function useFindField(commands: readonly FindCommand[]) {
  const [text, setText] = useState('');
  const latestText = useRef(text);
  const combobox = useCombobox();
  const { setListId } = combobox;
  // Otherwise the field would learn it after the list has appeared, and tell screen readers that the list is closed.
  useEffect(() => setListId(listId), [setListId]);
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { names } = useCategoryNames();
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
    openCategory: (category: string) => {
      type('');
      void navigate({ to: '/pets', search: { category: [category] } });
    },
    /** Opens the page of all results. */
    showAll: () => {
      const q = searchText(text);
      // The list says what to type.
      if (q === '') return combobox.openDropdown();
      type('');
      void navigate({ to: '/pets', search: { q } });
    },
    run: (command: FindCommand) => {
      type('');
      command.run();
    },
  };
  const openMeant = (meant: Meant | undefined) => {
    const command = meantCommand(text, commands);
    if (meant && 'petId' in meant) actions.open(String(meant.petId));
    else if (meant && 'categoryId' in meant) actions.openCategory(String(meant.categoryId));
    else if (command && !meant?.results) actions.run(command);
    else if (meant) actions.showAll();
    // The list shows the error.
    else combobox.openDropdown();
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    if (!text.trim()) return;
    const label = parseLabelAddress(text);
    if (label !== undefined) return actions.open(String(label));
    const meant = await findMeant(text.trim(), names, queryClient).catch(() => undefined);
    // The person may have typed something else in the meantime.
    if (latestText.current === text) openMeant(meant);
  };
  return { text, type, combobox, actions, submit };
}
