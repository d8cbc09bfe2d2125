import type { PetPage } from '@petstore/client';
import { type ExportFormat, exportPets } from '@petstore/import-export/export-pets.js';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { callApi, walkPets } from '../../shared/api.js';
import { csvFile, download } from '../../shared/download.js';
import { announce } from '../../shared/focus.js';
import { type FilterSearch, isFound, toPetFilter } from '../../shared/filter-search.js';
import { formatAnimals } from '../../shared/format.js';
import { findStorePets } from '../../shared/known-pets/known-pets.js';

export interface ExportedFile {
  name: string;
  content: Blob;
  /** The number of animals in the file. */
  count: number;
}

/** Runs one export at a time. Leaving the page cancels it. */
export function useExport() {
  const controller = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<ExportProgress>();
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: async (request: ExportRequest): Promise<ExportedFile> => {
      controller.current = new AbortController();
      setProgress(undefined);
      let count = 0;
      const onProgress = (next: ExportProgress) => {
        count = next.exported;
        setProgress(next);
      };
      const content = await exportFile(request, { signal: controller.current.signal, onProgress });
      return { name: fileName(request), content, count };
    },
    onSuccess: ({ name, content, count }) => {
      download(name, content);
      announce(`Exported ${formatAnimals(count)}`);
    },
  });
  const cancel = () => controller.current?.abort();
  useEffect(() => () => controller.current?.abort(), []);
  return { start: mutate, cancel, reset, progress, file: data, error, isRunning: isPending };
}

export const previewRows = 8;

/** The number of animals of a file, and the first of them. */
export function useExportPreview(filter: FilterSearch) {
  return useQuery({
    // New animals invalidate it, as the lists.
    queryKey: ['pets', 'export', filter],
    queryFn: async ({ signal }): Promise<PetPage> => {
      if (isFound(filter)) return foundPage(filter, 0, previewRows);
      const query = { status: filter.status, limit: previewRows, count: true };
      return callApi((client) => client.listPets(query, { signal }).page(), signal);
    },
  });
}

export function isCanceled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

export interface ExportRequest {
  filter: FilterSearch;
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

/** A part of more characters moves out of the memory of the page, where it takes about five times its size. */
const partLength = 100_000;

/** Reads all animals of a filter into a file. The browser stores its parts outside the memory of the page. */
async function exportFile({ filter, format }: ExportRequest, run: ExportRun): Promise<Blob> {
  const parts: Blob[] = [];
  let text = '';
  for await (const chunk of exportPets(countedPages(filter, run), format)) {
    text += chunk;
    if (text.length < partLength) continue;
    parts.push(new Blob([text]));
    text = '';
  }
  const all = [...parts, text];
  return format === 'csv' ? csvFile(all) : new Blob(all, { type: 'application/x-ndjson' });
}

/** "petstore-sold-2026-11-20.csv", with the date of the device. */
function fileName({ filter, format }: ExportRequest, date = new Date()): string {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  const animals = isFound(filter) ? 'results' : (filter.status ?? 'all');
  return `${['petstore', animals, ...day].join('-')}.${format}`;
}

async function* countedPages(filter: FilterSearch, run: ExportRun): AsyncGenerator<PetPage, void> {
  const progress = { exported: 0, total: 0 };
  const pages = isFound(filter)
    ? foundPages(filter, run.signal)
    : walkPets({ status: filter.status, count: true, signal: run.signal });
  for await (const page of pages) {
    progress.total = page.total ?? progress.total;
    progress.exported += page.pets.length;
    run.onProgress({ ...progress });
    yield page;
  }
}

const foundPageSize = 1000;

/** The results of a search, oldest first, once this device knows the animals of the store. */
async function* foundPages(filter: FilterSearch, signal: AbortSignal): AsyncGenerator<PetPage, void> {
  for (let skip = 0, total = 1; skip < total; skip += foundPageSize) {
    signal.throwIfAborted();
    const page = await foundPage(filter, skip, foundPageSize);
    total = page.total;
    yield page;
  }
}

async function foundPage(filter: FilterSearch, skip: number, limit: number) {
  const { pets, count } = await findStorePets(toPetFilter(filter), { skip, limit, order: 'asc' });
  return { pets, next: undefined, total: count };
}
