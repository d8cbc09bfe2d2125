import { Box, CloseButton, Kbd, TextInput, useCombobox } from '@mantine/core';
import { useNavigate, useRouterState } from '@tanstack/react-router';
import { type FocusEvent, type KeyboardEvent, type SubmitEvent, useEffect, useRef, useState } from 'react';
import { searchText } from '../../shared/filter-search.js';
import { SearchIcon } from '../../shared/icons.js';
import { changeList, type ListSearch } from '../../shared/list-search.js';
import { submitByTab } from '../../shared/scanner.js';
import { useCategoryNames } from '../../shared/store-info.js';
import type { FindCommand } from './find-filters.js';
import { FindList, listId } from './find-list.js';
import { type Choice, findMeant } from './find-queries.js';
import classes from './find.module.css';

const searchKey = (
  <Kbd size="xs" visibleFrom="md" mr="xs">
    {navigator.platform.startsWith('Mac') ? '⌘ K' : 'Ctrl K'}
  </Kbd>
);

/** Finds animals by number, name or the address of a page, categories and statuses by name, and offers pages and actions. */
export function FindField({ commands }: { commands: readonly FindCommand[] }) {
  const { text, type, ref, combobox, actions, submit } = useFindField(commands);
  const closeOnBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) combobox.closeDropdown();
  };
  const pressKey = (event: KeyboardEvent<HTMLInputElement>) => {
    submitByTab(event);
    if (event.key !== 'Enter' || !event.shiftKey || !text.trim()) return;
    event.preventDefault();
    actions.showAll();
  };
  const clear = () => {
    type('');
    actions.endSearch();
    ref.current?.focus();
  };
  const input = (
    <TextInput
      ref={ref}
      id="find"
      enterKeyHint="search"
      aria-label="Find an animal"
      placeholder="Find any animal"
      className={classes.field}
      size="sm"
      radius="xl"
      leftSection={<SearchIcon />}
      rightSection={
        text ? <CloseButton aria-label="Clear" variant="transparent" h="100%" w={44} onClick={clear} /> : searchKey
      }
      rightSectionWidth={text ? 44 : 72}
      rightSectionPointerEvents={text ? 'all' : 'none'}
      autoComplete="off"
      value={text}
      onChange={({ currentTarget }) => type(currentTarget.value)}
      onClick={() => combobox.openDropdown()}
      onKeyDown={pressKey}
    />
  );
  return (
    <Box component="search" flex={1} miw={0} maw="28rem" onBlur={closeOnBlur}>
      <form onSubmit={(event) => void submit(event)}>
        <FindList text={text.trim()} commands={commands} combobox={combobox} {...actions}>
          {input}
        </FindList>
      </form>
    </Box>
  );
}

/** While the results of a search are shown, the text is their words. */
function useFindField(commands: readonly FindCommand[]) {
  const list = useRouterState({
    select: ({ location: { pathname, search } }): ListSearch | undefined => (pathname === '/pets' ? search : undefined),
  });
  const q = list?.q ?? '';
  const [text, setText] = useState(q);
  const [shownQ, setShownQ] = useState(q);
  if (q !== shownQ) {
    setShownQ(q);
    setText(q);
  }
  const ref = useRef<HTMLInputElement>(null);
  const combobox = useCombobox();
  const { setListId } = combobox;
  // Otherwise the field would learn it after the list has appeared, and tell screen readers that the list is closed.
  useEffect(() => setListId(listId), [setListId]);
  const navigate = useNavigate();
  const { names } = useCategoryNames();
  const type = (value: string) => {
    setText(value);
    combobox.resetSelectedOption();
    if (value.trim()) combobox.openDropdown();
    else combobox.closeDropdown();
  };
  const open = (choice: Choice) => {
    setText('search' in choice ? (choice.search.q ?? '') : q);
    combobox.resetSelectedOption();
    combobox.closeDropdown();
    if ('command' in choice) choice.command.run();
    else if ('search' in choice) void navigate({ to: '/pets', search: choice.search });
    else void navigate({ to: '/pets/$petId', params: { petId: String(choice.petId) } });
  };
  const showAll = () => {
    const words = searchText(text);
    // The list says what to type.
    if (words === '') combobox.openDropdown();
    else open({ search: { q: words } });
  };
  const endSearch = () => {
    if (list && q) void navigate({ to: '/pets', search: changeList(list, { q: undefined }) });
  };
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    // The next text that a person or a scanner types replaces this one.
    ref.current?.select();
    if (!text.trim()) return endSearch();
    const meant = await findMeant(text.trim(), names, commands);
    // The person may have typed something else in the meantime.
    if (ref.current?.value !== text) return;
    if (meant) open(meant);
    else showAll();
  };
  return { text, type, ref, combobox, actions: { open, showAll, endSearch }, submit };
}
