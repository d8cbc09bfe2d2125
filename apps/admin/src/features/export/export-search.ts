import { type PetStatus, petStatuses } from '@petstore/contracts';

/** The filter in the address. */
export interface ExportSearch {
  status?: PetStatus;
}

export function parseExportSearch(params: Record<string, unknown>): ExportSearch {
  const status = petStatuses.find((name) => name === params['status']);
  return status ? { status } : {};
}
