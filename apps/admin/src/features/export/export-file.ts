import type { PetPage } from '@petstore/client';
import type { PetStatus } from '@petstore/contracts';
import { type ExportFormat, exportPets } from '@petstore/import-export/export-pets.js';
import { walkPets } from '../../shared/walk-pets.js';

export interface ExportRequest {
  status: PetStatus | undefined;
  format: ExportFormat;
}

export interface ExportProgress {
  /** The number of animals so far. */
  exported: number;
  /** The number of animals when the export began. */
  total: number;
}

interface ExportRun {
  signal: AbortSignal;
  onProgress: (progress: ExportProgress) => void;
}

/** Excel reads a CSV file as UTF-8 only if it begins with this. */
const byteOrderMark = '\uFEFF';
const types: Record<ExportFormat, string> = { csv: 'text/csv;charset=utf-8', ndjson: 'application/x-ndjson' };
const partLength = 1_000_000;

/** Reads all animals of a filter into a file. The browser stores its parts outside the memory of the page. */
export async function exportFile({ status, format }: ExportRequest, run: ExportRun): Promise<Blob> {
  const parts: Blob[] = [];
  let text = format === 'csv' ? byteOrderMark : '';
  for await (const chunk of exportPets(countedPages(status, run), format)) {
    text += chunk;
    if (text.length < partLength) continue;
    parts.push(new Blob([text]));
    text = '';
  }
  return new Blob([...parts, text], { type: types[format] });
}

async function* countedPages(status: PetStatus | undefined, run: ExportRun): AsyncGenerator<PetPage, void> {
  const progress = { exported: 0, total: 0 };
  for await (const page of walkPets({ status, count: true, signal: run.signal })) {
    progress.total = page.total ?? progress.total;
    progress.exported += page.pets.length;
    run.onProgress({ ...progress });
    yield page;
  }
}
