import type { PetPage } from '@petstore/client';
import { exportPets } from '@petstore/import-export/export-pets.js';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { csvFile, download } from '../../shared/download.js';
import { live } from '../../shared/api.js';
import { announce } from '../../shared/focus.js';
import { type FilterSearch, isSearch, toListFilter } from '../../shared/filter-search.js';
import { formatAnimals } from '../../shared/format.js';
import { readPetPage, walkPets } from '../../shared/pet-queries.js';
import type { CategoryNames } from '../../shared/store-info.js';

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
      const { signal } = (controller.current = new AbortController());
      const done: ExportProgress = { exported: 0, total: undefined };
      setProgress(undefined);
      async function* pages() {
        for await (const page of walkPets({ ...toListFilter(request.filter), count: true, signal })) {
          done.total ??= page.total;
          done.exported += page.pets.length;
          setProgress({ ...done });
          yield page;
        }
      }
      const content = await toFile(pages(), request);
      return { name: fileName(request), content, count: done.exported };
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
    queryFn: ({ signal }) => readPetPage({ ...toListFilter(filter), limit: previewRows, count: true }, signal),
    ...live,
  });
}

export function isCanceled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

export interface ExportRequest {
  filter: FilterSearch;
  /** Between the cells of a row. */
  separator: string;
  categoryNames: CategoryNames;
}

export interface ExportProgress {
  /** The number of animals so far. */
  exported: number;
  /** The number of animals when the export began. `undefined` if there are too many to count. */
  total: number | undefined;
}

/** A part of more characters moves out of the memory of the page, where it takes about five times its size. */
const partLength = 100_000;

/** Writes all animals into a file. The browser stores its parts outside the memory of the page. */
async function toFile(pages: AsyncIterable<PetPage>, { separator, categoryNames }: ExportRequest): Promise<Blob> {
  const parts: Blob[] = [];
  let text = '';
  const options = { delimiter: separator, ...(categoryNames.size > 0 && { categoryNames }) };
  for await (const chunk of exportPets(pages, 'csv', options)) {
    text += chunk;
    if (text.length < partLength) continue;
    parts.push(new Blob([text]));
    text = '';
  }
  return csvFile([...parts, text]);
}

/** "petstore-sold-2026-11-20.csv", with the date of the device. */
function fileName({ filter }: ExportRequest, date = new Date()): string {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  const animals = isSearch(filter) ? 'results' : (filter.status ?? 'all');
  return `${['petstore', animals, ...day].join('-')}.csv`;
}
