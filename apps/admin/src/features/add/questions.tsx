import { Alert, Box, Button, Group } from '@mantine/core';
import { foldName } from '@petstore/contracts';
import { type ReactNode, useEffect } from 'react';
import { useFocusFallback } from '../../shared/focus.js';
import { AlertIcon } from '../../shared/icons.js';
import type { PastedCells } from './read-cells.js';
import type { ScannedCode } from './scanned-code.js';

export interface Answer {
  label: string;
  act: () => void;
}

export interface QuestionProps {
  title: string;
  /** The first one is the safest. */
  answers: readonly Answer[];
  /** Not for a button: a key that was pressed before the question appeared answers nothing. */
  takesFocus?: boolean;
  children?: ReactNode;
}

/** Asks before something becomes an animal: nothing can be deleted later. */
export function Question({ title, answers, takesFocus = false, children }: QuestionProps) {
  const ref = useFocusFallback<HTMLDivElement>();
  useEffect(() => {
    if (takesFocus) ref.current?.focus();
  }, [ref, takesFocus]);
  return (
    <Alert ref={ref} tabIndex={-1} color="yellow" icon={<AlertIcon />} title={title}>
      {children}
      <Answers answers={answers} hasPrimary />
    </Alert>
  );
}

interface AnswersProps extends Pick<QuestionProps, 'answers'> {
  hasPrimary?: boolean;
}

export function Answers({ answers, hasPrimary = false }: AnswersProps) {
  return (
    <Group gap="sm" my="sm">
      {answers.map(({ label, act }, index) => (
        <Button key={label} size="sm" variant={hasPrimary && index === 0 ? 'filled' : 'default'} onClick={act}>
          {label}
        </Button>
      ))}
    </Group>
  );
}

type Act<Names extends string> = Record<Names, () => void>;

/** Asks before a number, or the label of another store, becomes the name of an animal. */
export function askAboutCode(code: ScannedCode, act: Act<'open' | 'addAsName' | 'cancel'>): QuestionProps {
  const { id, otherOrigin, possibleName, hasOtherLayout } = code;
  const isOtherStore = otherOrigin !== undefined;
  const title = isOtherStore ? 'This label belongs to another store' : `Is ${possibleName} the number of an animal?`;
  return {
    title: hasOtherLayout ? 'This looks like a scanned label' : title,
    answers: [
      ...(id === undefined ? [] : [{ label: `Open number ${id}`, act: act.open }]),
      possibleName === undefined
        ? { label: "Don't open", act: act.cancel }
        : { label: 'Add it as a name', act: act.addAsName },
    ],
    children: (
      <>
        {hasOtherLayout && <p>The scanner has another keyboard layout than this computer. Set it to the same one.</p>}
        {isOtherStore && (
          <p>
            It was printed at <bdi>{otherOrigin}</bdi>. <span>{`Number ${id} of this store is another animal.`}</span>
          </p>
        )}
      </>
    ),
  };
}

/** In a store with named categories, a number without a name and without animals is hardly ever meant. */
export function askAboutCategory(id: bigint, act: Act<'change' | 'add'>): QuestionProps {
  return {
    title: `No animal is in category ${id}, and it has no name. Add it anyway?`,
    answers: [
      { label: 'Change the category', act: act.change },
      { label: 'Add it anyway', act: act.add },
    ],
  };
}

/** Cells never become the name of one animal. What the form has stays. */
export function askAboutCells(cells: PastedCells, act: Act<'add' | 'openImport' | 'cancel'>): QuestionProps {
  const { names = [], heading, canAdd } = cells;
  const add = names.length === 1 ? 'Add this animal' : `Add these ${names.length} animals`;
  return {
    title: names.length === 1 && heading === undefined ? 'This cell has several lines' : 'These are several cells',
    answers: [
      ...(canAdd ? [{ label: add, act: act.add }] : []),
      { label: 'Open as an import', act: act.openImport },
      { label: 'Cancel', act: act.cancel },
    ],
    children: canAdd ? (
      <>
        <p>Check the names. Each animal gets the category and the status below.</p>
        {heading !== undefined && <p>{`The heading “${heading}” is not added.`}</p>}
        <Names names={names} />
      </>
    ) : (
      <p>The field takes one name. An import adds an animal for each row.</p>
    ),
  };
}

export function askAboutUnread(act: Act<'readAgain' | 'cancel'>): QuestionProps {
  return {
    title: 'The cells that you pasted could not be read',
    answers: [
      { label: 'Try again', act: act.readAgain },
      { label: 'Cancel', act: act.cancel },
    ],
    children: <p>{"Petstore doesn't answer. The cells are kept until you try again."}</p>,
  };
}

/** A delivery may have several animals of one name. A person may also have copied a row twice. */
function Names({ names }: { names: readonly string[] }) {
  const keys = names.map(foldName);
  const repeated = names.filter((_, index) => keys.indexOf(keys[index] ?? '') < index);
  return (
    <>
      {repeated.length > 0 && <p>{`More than once: ${[...new Set(repeated)].join(', ')}.`}</p>}
      {/* The keyboard scrolls it. */}
      <Box
        component="ol"
        aria-label="Names"
        mah="min(20rem, 50dvh)"
        m={0}
        p="0.5rem 0.75rem"
        bg="var(--surface)"
        bdrs="md"
        style={{ overflowY: 'auto' }}
        tabIndex={0}
      >
        {names.map((name, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- A name may occur twice.
          <li key={index}>
            <bdi translate="no">{name}</bdi>
          </li>
        ))}
      </Box>
    </>
  );
}
