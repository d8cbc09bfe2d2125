import { trimName } from '@petstore/contracts';
import { parsePetId, readLabelText } from '../../shared/pet-id.js';
import type { PetDraft } from './pet-draft.js';

/** A label that was scanned into a field of the form, or a number that may be one. */
export interface ScannedCode {
  /** Absent if the keyboard layout of the scanner hides the number. */
  id?: bigint | undefined;
  isCertain?: boolean;
  /** Where the label was printed, if it is the label of another store. */
  otherOrigin?: string;
  /** The text, if it may be a name after all. */
  possibleName?: string;
  hasOtherLayout?: boolean;
}

/** The code in a field of the form, and the values of the form without it. `before` is what a scanner has replaced. */
export function findCode(
  draft: PetDraft,
  before: PetDraft,
): { code: ScannedCode; rest: Partial<PetDraft> } | undefined {
  for (const field of ['name', 'category', 'count'] as const) {
    const label = readLabel(draft[field]);
    if (label) return { code: label.code, rest: { [field]: label.rest || before[field] } };
    const code = field === 'name' ? undefined : readOtherLayout(draft[field]);
    if (code) return { code, rest: { [field]: before[field] } };
  }
  const name = trimName(draft.name);
  const id = parsePetId(name);
  // Digits may be the number of an animal, or a name.
  const code = readOtherLayout(name) ?? (id === undefined ? undefined : { id });
  return code && { code: { ...code, possibleName: name }, rest: {} };
}

/** The address of an animal's page is never a name or a category. `rest` is the field without it. */
function readLabel(text: string): { code: ScannedCode; rest: string } | undefined {
  const [address, origin = '', number = ''] = /(https?:\/\/[^/\s]+)\S*?\/pets\/(\d+)\/?/i.exec(text) ?? [];
  const id = parsePetId(number);
  if (address === undefined || id === undefined) return undefined;
  const isOther = origin.toLowerCase() !== location.origin;
  return {
    code: isOther ? { id, otherOrigin: origin } : { id, isCertain: true },
    rest: text.replace(address, '').trim(),
  };
}

/** An address in another keyboard layout. It may be a name, but hardly ever is one. */
function readOtherLayout(text: string): ScannedCode | undefined {
  const label = readLabelText(text);
  return label && { id: parsePetId(label.number ?? ''), hasOtherLayout: true };
}
