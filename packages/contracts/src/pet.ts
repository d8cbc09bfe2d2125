/** The values of `status` (specification, section 2). */
export const petStatuses = ['available', 'pending', 'sold'] as const;
export type PetStatus = (typeof petStatuses)[number];

/** The status of an animal that was added without one. */
export const defaultPetStatus: PetStatus = 'available';

/** An animal to be added: the body of `POST /v1/pets` (specification, section 2). */
export interface NewPet {
  /** 1 to 200 Unicode code points, not all white space, no NUL, no unpaired surrogate; kept as sent. */
  name: string;
  /** Any int64: an opaque reference. No category record needs to exist. */
  categoryId: bigint;
  /** `available` when omitted. */
  status?: PetStatus | undefined;
}

/** An animal of the store. */
export interface Pet extends NewPet {
  /** Assigned by the service: 1 to 9223372036854775807. A lower id can appear after a higher one. */
  id: bigint;
  status: PetStatus;
}

const fieldsOfNewPet = { name: true, categoryId: true, status: true } satisfies Record<keyof NewPet, true>;
const fieldsOfPet = { id: true, ...fieldsOfNewPet } satisfies Record<keyof Pet, true>;

/** The fields of `NewPet`. */
export const newPetFields = Object.keys(fieldsOfNewPet) as (keyof NewPet)[];
/** The fields of `Pet`, in the order of exports. */
export const petFields = Object.keys(fieldsOfPet) as (keyof Pet)[];

/** Lengths are in Unicode code points, not in UTF-16 units. */
export const petLimits = { nameMinLength: 1, nameMaxLength: 200 } as const;

/** The rule that a name breaks: one per key of `petNameFaults`. */
export type PetNameFault = 'empty' | 'tooLong' | 'blank' | 'nul' | 'unpairedSurrogate';

/** What is wrong with a name, as the rest of a sentence that starts with the field. */
export const petNameFaults: Record<PetNameFault, string> = {
  empty: 'must not be empty',
  tooLong: `must have at most ${petLimits.nameMaxLength} Unicode code points`,
  blank: 'must not be only white space',
  nul: 'must not contain a NUL character',
  unpairedSurrogate: 'must not contain an unpaired surrogate',
};

/** The first rule that a name breaks, if any. The service and the forms use the same rules. */
export function petNameFault(name: string): PetNameFault | undefined {
  if (name.length === 0) return 'empty';
  if (name.length > petLimits.nameMaxLength && Array.from(name).length > petLimits.nameMaxLength) return 'tooLong';
  // \s is what trim() removes; NEL (U+0085) is white space to Unicode, but not to JavaScript.
  if (/^[\s\u0085]*$/.test(name)) return 'blank';
  if (name.includes('\0')) return 'nul';
  if (/\p{Surrogate}/u.test(name)) return 'unpairedSurrogate';
  return undefined;
}

/** Bounds of int64, the type of `id` and `categoryId`: signed, 64 bits, exact in JSON to the last digit. */
export const int64 = { min: -(2n ** 63n), max: 2n ** 63n - 1n } as const;

/** The rule as the rest of a sentence that starts with the field. */
export const int64Rule = `must be an integer between ${int64.min} and ${int64.max}`;

/** Whether a value is a `bigint` within int64. */
export function isInt64(value: unknown): value is bigint {
  return typeof value === 'bigint' && value >= int64.min && value <= int64.max;
}

/** Parses plain decimal digits, without leading zeros. `undefined` for any other text, and for a number outside int64. */
export function parseInt64(text: string): bigint | undefined {
  const value = /^(0|-?[1-9]\d{0,18})$/.test(text) ? BigInt(text) : undefined;
  return isInt64(value) ? value : undefined;
}

// Each function returns what is wrong with a value, as the rest of a sentence that starts with the field, or `undefined`.

/** For `name`: the rules of `petNameFault`, and that it is a string. */
export function nameFault(value: unknown): string | undefined {
  if (value === undefined) return 'is required';
  if (typeof value !== 'string') return `must be a string, not ${typeNameOf(value)}`;
  const fault = petNameFault(value);
  return fault && petNameFaults[fault];
}

/** Only a `bigint` is valid: a `number` may be rounded. */
export function int64Fault(value: unknown): string | undefined {
  if (isInt64(value)) return undefined;
  if (value === undefined) return 'is required';
  if (typeof value === 'bigint' || typeof value === 'number') return int64Rule;
  return `must be an integer, not ${typeNameOf(value)}`;
}

/** The type of a value as in JSON, with its article. */
function typeNameOf(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}
