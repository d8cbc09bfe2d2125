import { int64Rule, isInt64 } from './int64.js';
import { petNameFault, petNameFaults, petStatuses } from './pet.js';

// Each function returns what is wrong with a value, as the rest of a sentence that starts with the field, or `undefined`.

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

export function statusFault(value: unknown): string | undefined {
  if (value === undefined || petStatuses.some((status) => status === value)) return undefined;
  return `must be one of: ${petStatuses.join(', ')}`;
}

/** The JSON type of a value, with its article. */
function typeNameOf(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'object') return 'an object';
  return `a ${typeof value === 'bigint' ? 'number' : typeof value}`;
}
