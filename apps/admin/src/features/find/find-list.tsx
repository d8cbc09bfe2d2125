import { Box, Combobox, type ComboboxStore, Kbd } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useEffect } from 'react';
import { errorMessage } from '../../shared/error-notice.js';
import { categoryName, type FilterSearch, searchText } from '../../shared/filter-search.js';
import { announce } from '../../shared/focus.js';
import { statusLabels } from '../../shared/format.js';
import { PetName, StatusBadge } from '../../shared/pet-parts.js';
import { type CategoryNames, useCategoryNames } from '../../shared/store-info.js';
import { type FindCommand, findCommands, findFilters } from './find-filters.js';
import { type Choice, findQuery } from './find-queries.js';
import classes from './find.module.css';

/** The id of the list below the field. */
export const listId = 'found';

interface FindListProps extends Omit<FoundProps, 'settledText'> {
  combobox: ComboboxStore;
  children: ReactElement;
}

/** The options below the field. */
export function FindList({ combobox, children, ...found }: FindListProps) {
  // A scanner types a number in a few milliseconds: one request, not one per digit.
  const [settledText] = useDebouncedValue(found.text, 150);
  // The store remembers the selected option by its position, which changes with the animals.
  useEffect(() => combobox.updateSelectedOptionIndex());
  return (
    <Combobox
      store={combobox}
      withinPortal={false}
      shadow="lg"
      radius={12}
      width="min(28rem, calc(100vw - 2rem))"
      position="bottom-start"
      middlewares={{ shift: { padding: 16 } }}
    >
      <Combobox.Target withExpandedAttribute>{children}</Combobox.Target>
      <Combobox.Dropdown bg="var(--surface)" style={{ borderColor: 'var(--line)' }}>
        {combobox.dropdownOpened && <Found settledText={settledText} {...found} />}
      </Combobox.Dropdown>
    </Combobox>
  );
}

interface FoundProps {
  text: string;
  /** The text when the person last stopped typing. */
  settledText: string;
  commands: readonly FindCommand[];
  open: (choice: Choice) => void;
  showAll: () => void;
}

function Found({ text, settledText, commands, open, showAll }: FoundProps) {
  const { names } = useCategoryNames();
  const { pets, hasMore, error, refetch, summary } = useFoundPets(text, settledText);
  const filters = findFilters(text, names);
  const foundCommands = findCommands(text, commands);
  const isEmpty = filters.length + pets.length + foundCommands.length === 0;
  return (
    <>
      {/* Fits on an enlarged page: the list closes when the field scrolls out of view. */}
      <Combobox.Options
        id={listId}
        aria-label="Animals found"
        mah="calc(100dvh - 4.5rem)"
        style={{ overflowY: 'auto' }}
      >
        {filters.map((search) => (
          <Option key={JSON.stringify(search)} onPick={() => open({ search })}>
            <Line text={filterLabel(search, names)} />
            <span className="note">{search.category ? 'Category' : 'Status'}</span>
          </Option>
        ))}
        {pets.map(({ id, name, categoryId, status }) => (
          <Option key={String(id)} onPick={() => open({ petId: id })}>
            <PetName name={name} words={text} />
            <StatusBadge status={status} />
            <Line text={`${id} · ${categoryName(categoryId, names)}`} isNote />
          </Option>
        ))}
        {(pets.length > 1 || hasMore) && (
          <Option onPick={showAll}>
            <Box component="b" c="var(--mantine-primary-color-filled)">
              Show all results
            </Box>
          </Option>
        )}
        {foundCommands.length > 0 && (
          <Combobox.Group label="Pages and actions">
            {foundCommands.map((command) => (
              <Option key={command.label} onPick={() => open({ command })}>
                <span>{command.label}</span> {command.key && <Kbd>{command.key}</Kbd>}
              </Option>
            ))}
          </Combobox.Group>
        )}
        {error && <Option onPick={() => void refetch()}>Try again</Option>}
      </Combobox.Options>
      {(error ?? isEmpty) && (
        <Box component="p" className="note" p="0.5rem 0.75rem">
          {summary}
        </Box>
      )}
    </>
  );
}

function Option({ onPick, children }: { onPick: () => void; children: ReactNode }) {
  return (
    <Combobox.Option value="" className={classes.option} onClick={onPick}>
      {children}
    </Combobox.Option>
  );
}

/** A text that may be cut. */
function Line({ text, isNote }: { text: string; isNote?: boolean }) {
  return (
    <bdi className={isNote ? 'note' : undefined} title={text}>
      {text}
    </bdi>
  );
}

/** "“luna” in Cats · Sold" */
function filterLabel({ q, category: [id] = [], status }: FilterSearch, names: CategoryNames): string {
  const words = [q && `“${q}”`, id && categoryName(BigInt(id), names)].filter(Boolean).join(' in ');
  return [words, status && statusLabels[status]].filter(Boolean).join(' · ');
}

/** The animals for a text, and a summary as soon as they are complete, which screen readers read. */
function useFoundPets(text: string, settledText: string) {
  const { data, error, refetch, isPlaceholderData } = useQuery({
    ...findQuery(text && settledText),
    placeholderData: keepPreviousData,
  });
  const { pets = [], hasMore = false } = (text && data) || {};
  const isComplete = text !== '' && text === settledText && !isPlaceholderData && (data ?? error);
  const summary = isComplete ? summaryOf(text, { count: pets.length, hasMore, error }) : undefined;
  useEffect(() => {
    if (summary !== undefined) announce(summary);
  }, [summary]);
  return { pets, hasMore, error, refetch, summary };
}

function summaryOf(text: string, { count, hasMore, error }: { count: number; hasMore: boolean; error: Error | null }) {
  if (error) return `${errorMessage(error, 'see animals').title}.`;
  if (searchText(text) === '') return 'Type a letter or a number to search.';
  if (count === 0) return `No animal found for “${text}”`;
  if (hasMore) return `The newest ${count} animals found, and more`;
  return count === 1 ? '1 animal found' : `${count} animals found`;
}
