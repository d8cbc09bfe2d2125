import { useForm } from '@mantine/form';
import { maxUnnamedCategories, trimName } from '@petstore/contracts';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, type SubmitEvent, useEffect, useEffectEvent, useRef, useState } from 'react';
import { refreshMs } from '../../shared/api.js';
import { readTabState, writeTabState } from '../../shared/browser-storage.js';
import { categoryLabel } from '../../shared/category-input.js';
import { endsScan } from '../../shared/scanner.js';
import { useCategoryNames, useLiveCategories } from '../../shared/store-info.js';
import { addAnimals, removeBatch, useAdded, useQueue } from './add-queue.js';
import type { Batch } from './batch.js';
import type { Animal } from './create-pet.js';
import {
  type DraftForm,
  draftAfter,
  draftNames,
  draftOf,
  draftRules,
  emptyDraft,
  labelCategory,
  type PetDraft,
  readDraft,
  tableOf,
  toNewPets,
  writeDraft,
} from './pet-draft.js';
import { askAboutCategory, askAboutCells, askAboutCode, askAboutUnread, type QuestionProps } from './questions.js';
import type { PastedCells } from './read-cells.js';
import { findCode, type ScannedCode } from './scanned-code.js';

/** The form of an animal or a litter. It is empty at once after these were added. */
export function useNewPetForm() {
  const { names } = useCategoryNames();
  const form = useForm<PetDraft>({
    initialValues: labelCategory(readDraft(), names),
    validate: draftRules(names),
    onValuesChange: (draft) => {
      writeDraft(draft);
      questions.forget();
    },
  });
  const focus = (field: keyof PetDraft) => form.getInputNode(field)?.focus();
  const questions = useFormQuestions({ form, focus, submit: () => submit() });
  const hasAdded = useRef(false);
  const fill = (draft: PetDraft) => {
    form.setValues(draft);
    form.clearErrors();
    focus('name');
  };
  /** Whether the form is a code that was scanned, or has a mistake. */
  const isRefused = () => {
    if (questions.takeCode()) return true;
    const [fault] = Object.keys(form.validate().errors) as (keyof PetDraft)[];
    if (fault) focus(fault);
    return fault !== undefined;
  };
  const submit = (event?: SubmitEvent<HTMLFormElement>) => {
    event?.preventDefault();
    // A second Enter that was meant for the last animal.
    if (hasAdded.current && !form.isDirty()) return focus('name');
    if (isRefused()) return;
    const animals = toNewPets(form.getValues(), names);
    questions.add(animals, () => {
      const next = draftAfter(animals[0], names);
      form.setInitialValues(next);
      hasAdded.current = true;
      fill(next);
    });
  };
  /**
   * An Enter that is held, which perhaps opened the form, adds nothing. Nor does a scanner: its text may be the rest of a
   * label that began before the form opened.
   */
  const refuseEnter = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.key !== 'Enter' || !(event.repeat || endsScan(event))) return;
    event.preventDefault();
    if (!event.repeat && !isRefused())
      form.setFieldError('name', 'Was this typed by a scanner? Press Enter again to add it');
  };
  /** Moves animals that were not added into the form, unless it has another animal. */
  const change = (batch: Batch) => {
    if (trimName(form.getValues().name) !== '') {
      form.setFieldError('name', 'First add this animal, or clear its name');
      return focus('name');
    }
    removeBatch(batch);
    const draft = draftOf(batch.animals, names);
    const list = batch.animals.map(({ name }) => name);
    const isList = draftNames(draft).join('\n') !== list.join('\n');
    fill(isList ? { ...draft, name: '', count: '1' } : draft);
    if (isList) questions.askAboutCells(list.join('\n'), { names: list, canAdd: true });
  };
  const focusAtStart = useEffectEvent(() => {
    if (document.activeElement?.matches('body, h1, #find:placeholder-shown')) focus('name');
  });
  // Typing can start at once.
  useEffect(() => focusAtStart(), []);
  return { form, questions, submit, refuseEnter, change, clear: () => fill(emptyDraft), focus };
}

/** Adds animals of one category. `onAdded` follows, perhaps after a question. */
type Add = (animals: readonly Animal[], onAdded: () => void) => void;

/** What the form asks before it adds an animal: one question at a time. A change of the form ends it, but keeps cells. */
function useFormQuestions(draftForm: DraftForm) {
  const { form, focus, submit } = draftForm;
  const navigate = useNavigate();
  const { names } = useCategoryNames();
  const isKnown = useKnownCategories();
  const [question, setQuestion] = useState<QuestionProps>();
  const acceptedNames = useRef(new Set<string>());
  /** The values when a field got the focus: a scanner replaces the selected text. */
  const before = useRef(emptyDraft);

  const add: Add = (animals, onAdded) => {
    const id = animals[0]?.categoryId;
    const addNow = () => {
      setQuestion(undefined);
      addAnimals(animals);
      onAdded();
    };
    if (id === undefined || isKnown(id)) return addNow();
    // As the field does when it loses the focus, which is not a change by the person.
    form.setFieldValue('category', categoryLabel(id, names));
    setQuestion(askAboutCategory(id, { change: leave('category'), add: addNow }));
  };
  const leave = (field: keyof PetDraft) => () => {
    focus(field);
    setQuestion(undefined);
  };
  const open = ({ id, possibleName }: ScannedCode) => {
    if (possibleName !== undefined) form.setFieldValue('name', '');
    void navigate({ to: '/pets/$petId', params: { petId: String(id) } });
  };
  /** Opens the animal of a label that was scanned into a field, or asks. Returns `false` without one. */
  const takeCode = (): boolean => {
    const { code, rest } = findCode(form.getValues(), before.current) ?? {};
    if (!code || acceptedNames.current.has(code.possibleName ?? '')) return false;
    const addAsName = () => {
      acceptedNames.current.add(code.possibleName ?? '');
      submit();
    };
    form.setValues({ ...rest });
    if (code.isCertain) open(code);
    else setQuestion(askAboutCode(code, { open: () => open(code), addAsName, cancel: leave('name') }));
    return true;
  };
  const cells = usePastedCells(draftForm, add);
  return {
    question: question ?? cells.question,
    forget: () => setQuestion(undefined),
    add,
    takeCode,
    askAboutCells: cells.ask,
    noteFocus: (draft: PetDraft) => {
      before.current = { ...draft, name: '' };
    },
  };
}

function useKnownCategories(): (id: bigint) => boolean {
  const { names } = useCategoryNames();
  const { data: categories = [] } = useLiveCategories(refreshMs);
  const entered = [...useAdded(), ...useQueue().flatMap(({ animals }) => animals)];
  return (id) =>
    names.size === 0 ||
    // The service does not list every category of such a store.
    categories.length >= names.size + maxUnnamedCategories ||
    categories.some((category) => category.id === id) ||
    entered.some(({ categoryId }) => categoryId === id);
}

/** Several cells of a spreadsheet, or several lines, that were pasted into the name. */
interface Pasted {
  text: string;
  /** Known before the text is read, if these are names that the person wants to change. */
  cells?: PastedCells;
}

const storageName = 'petstore.pasted';

/** The pasted cells, until the person has said what they are. A reload keeps them. */
function usePastedCells({ form, focus }: DraftForm, add: Add) {
  const navigate = useNavigate();
  const { names } = useCategoryNames();
  const [pasted, setPasted] = useState<Partial<Pasted>>(() => readTabState(storageName));
  const { text = '' } = pasted;
  const { data, error, refetch } = useQuery({
    queryKey: ['pasted', pasted],
    queryFn: async () => (await import('./read-cells.js')).readCells(text),
    initialData: pasted.cells,
    enabled: text !== '',
    staleTime: 'static',
  });
  const ask = (changed: Partial<Pasted>) => {
    writeTabState(storageName, changed);
    setPasted(changed);
  };
  const cancel = () => {
    focus('name');
    ask({});
  };
  const openImport = (cells: string) => {
    ask({});
    void navigate({ to: '/import', state: { cells } });
  };
  /** Once the form has a category for the animals of the column. */
  const withAnimals = (column: readonly string[], act: (animals: Required<Animal>[]) => void) => {
    if (form.validateField('category').hasError) return focus('category');
    act(toNewPets(form.getValues(), names, column));
  };
  const { names: column } = data ?? {};
  const actOnCells = {
    add: () => withAnimals(column ?? [], (animals) => add(animals, cancel)),
    openImport: () => (column ? withAnimals(column, (animals) => openImport(tableOf(animals))) : openImport(text)),
    cancel,
  };
  const unread = error ? askAboutUnread({ readAgain: () => void refetch(), cancel }) : undefined;
  return {
    ask: (pastedText: string, known?: PastedCells) => ask({ text: pastedText, ...(known && { cells: known }) }),
    question: data ? askAboutCells(data, actOnCells) : unread,
  };
}
