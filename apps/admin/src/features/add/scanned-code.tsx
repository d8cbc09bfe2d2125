import { Button, Group } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { trimName } from '@petstore/contracts';
import { useNavigate } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { parsePetId, readLabelText } from '../../shared/pet-id.js';
import { Question } from './add-problem.js';
import { emptyDraft, type PetDraft } from './pet-draft.js';
import classes from './add.module.css';

/** A label that was scanned into a field of the form, or a number that may be one. */
export interface ScannedCode {
  /** Absent if the keyboard layout of the scanner hides the number. */
  id?: bigint | undefined;
  /** Where the label was printed, if it is the label of another store. */
  otherOrigin?: string;
  /** The text, if it may be a name after all. */
  possibleName?: string;
  /** The scanner and the computer have different keyboard layouts. */
  hasOtherLayout?: boolean;
}

/** The address of an animal's page is never a name or a category. `rest` is the field without it. */
function readScannedLabel(text: string): { code: ScannedCode; rest: string } | undefined {
  const [address, origin = '', number = ''] = /(https?:\/\/[^/\s]+)\S*?\/pets\/(\d+)\/?/i.exec(text) ?? [];
  const id = parsePetId(number);
  if (address === undefined || id === undefined) return undefined;
  const isOther = origin.toLowerCase() !== location.origin;
  return { code: { id, ...(isOther && { otherOrigin: origin }) }, rest: text.replace(address, '').trim() };
}

/** Digits may be the number of an animal, or a name. */
function readScannedNumber(name: string): ScannedCode | undefined {
  const id = parsePetId(name);
  return id === undefined ? undefined : { id, possibleName: name };
}

/** An address in another keyboard layout. It may be a name, but hardly ever is one. */
function readOtherLayout(text: string): ScannedCode | undefined {
  const label = readLabelText(text);
  return label && { id: parsePetId(label.number ?? ''), hasOtherLayout: true };
}

const textFields = ['name', 'category', 'count'] as const;

/** Recognizes the label of an animal that was scanned into a field: it opens the animal, and never becomes one. */
export function useScannedCode() {
  const navigate = useNavigate();
  const [asked, setAsked] = useState<ScannedCode>();
  const names = useRef(new Set<string>());
  /** The values when a field got the focus: a scanner replaces the selected text. */
  const before = useRef(emptyDraft);
  const open = ({ id, possibleName }: ScannedCode, form: UseFormReturnType<PetDraft>) => {
    if (id === undefined) return;
    if (possibleName !== undefined) form.setFieldValue('name', '');
    void navigate({ to: '/pets/$petId', params: { petId: String(id) } });
  };
  return {
    /** The code that the person is asked about. */
    asked,
    open,
    forget: () => setAsked(undefined),
    noteFocus: (draft: PetDraft) => {
      before.current = draft;
    },
    acceptAsName: (name: string) => {
      names.current.add(name);
      setAsked(undefined);
    },
    /** Opens the animal of a label, or asks. The field is as it was before. Returns `false` without a code. */
    handle: (form: UseFormReturnType<PetDraft>): boolean => {
      const values = form.getValues();
      for (const field of textFields) {
        const label = readScannedLabel(values[field]);
        if (!label) continue;
        form.setFieldValue(field, label.rest || (field === 'name' ? '' : before.current[field]));
        if (label.code.otherOrigin === undefined) open(label.code, form);
        else setAsked(label.code);
        return true;
      }
      for (const field of ['category', 'count'] as const) {
        const code = readOtherLayout(values[field]);
        if (!code) continue;
        form.setFieldValue(field, before.current[field]);
        setAsked(code);
        return true;
      }
      const name = trimName(values.name);
      if (names.current.has(name)) return false;
      const otherLayout = readOtherLayout(name);
      const code = otherLayout ? { ...otherLayout, possibleName: name } : readScannedNumber(name);
      if (code) setAsked(code);
      return code !== undefined;
    },
  };
}

function questionTitle({ otherOrigin, possibleName, hasOtherLayout }: ScannedCode): string {
  if (hasOtherLayout) return 'This looks like a scanned label';
  return otherOrigin === undefined
    ? `Is ${possibleName} the number of an animal?`
    : 'This label belongs to another store';
}

interface ScannedQuestionProps {
  scan: ReturnType<typeof useScannedCode>;
  form: UseFormReturnType<PetDraft>;
  onAdd: () => void;
  onCancel: () => void;
}

/** Asks before a number, or the label of another store, becomes the name of an animal. */
export function ScannedQuestion({ scan, form, onAdd, onCancel }: ScannedQuestionProps) {
  const code = scan.asked;
  if (!code) return null;
  const { id, otherOrigin, possibleName, hasOtherLayout } = code;
  const addAsName = (name: string) => {
    scan.acceptAsName(name);
    onAdd();
  };
  const cancel = () => {
    scan.forget();
    onCancel();
  };
  return (
    <Question title={questionTitle(code)} takesFocus>
      {hasOtherLayout && (
        <p>
          The scanner and this computer have different keyboard layouts. Set the scanner to the layout of this computer.
        </p>
      )}
      {otherOrigin !== undefined && (
        <p>
          It was printed at <bdi>{otherOrigin}</bdi>. <span>{`Number ${id} of this store is another animal.`}</span>
        </p>
      )}
      <Group gap="sm">
        {id !== undefined && <Button onClick={() => scan.open(code, form)}>{`Open number ${id}`}</Button>}
        {possibleName ? (
          <Button variant="default" className={classes.wrapping} onClick={() => addAsName(possibleName)}>
            {`Add an animal named “${possibleName}”`}
          </Button>
        ) : (
          <Button variant="default" onClick={cancel}>
            {"Don't open"}
          </Button>
        )}
      </Group>
    </Question>
  );
}
