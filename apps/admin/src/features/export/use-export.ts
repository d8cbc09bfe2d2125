import type { PetPage } from '@petstore/client';
import { type ExportFormat, exportPets } from '@petstore/import-export/export-pets.js';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { csvFile, download } from '../../shared/download.js';
import { announce } from '../../shared/focus.js';
import { type FilterSearch, isSearch, toListFilter } from '../../shared/filter-search.js';
import { formatAnimals } from '../../shared/format.js';
import { walkPets } from '../../shared/pet-queries.js';
import type { CategoryNames } from '../../shared/store-info.js';

export interface ExportedFile {
  name: string;
  content: Blob;
  count: number;
}

/** Runs one export at a time. Leaving the page cancels it. */
export function useExport() {
  const controller = useRef<AbortController>(undefined);
  const [progress, setProgress] = useState<ExportProgress>({ exported: 0 });
  const { mutate, reset, data, error, isPending } = useMutation({
    mutationFn: async (request: ExportRequest): Promise<ExportedFile> => {
      const { signal } = (controller.current = new AbortController());
      let count = 0;
      let total: number | undefined;
      setProgress({ exported: 0 });
      async function* pages() {
        for await (const page of walkPets({ ...toListFilter(request.filter), count: true, signal })) {
          total ??= page.total;
          count += page.pets.length;
          setProgress({ exported: count, total });
          yield page;
        }
      }
      return { content: await toFile(pages(), request), name: fileName(request), count };
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

export function isCanceled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

export type FileFormat = Extract<ExportFormat, 'csv' | 'xlsx'>;

export interface ExportRequest {
  filter: FilterSearch;
  format: FileFormat;
  categoryNames: CategoryNames;
}

export interface ExportProgress {
  exported: number;
  /** The number of animals when the export began. `undefined` if there are too many to count. */
  total?: number | undefined;
}

/** Writes all animals into a file. The browser stores its parts outside the memory of the page. */
async function toFile(pages: AsyncIterable<PetPage>, { format, categoryNames }: ExportRequest): Promise<Blob> {
  const parts: Blob[] = [];
  const names = categoryNames.size > 0 ? categoryNames : undefined;
  for await (const part of exportPets(pages, format, names)) parts.push(new Blob([part]));
  return format === 'csv' ? csvFile(parts) : new Blob(parts, { type: excelType });
}

const excelType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** "petstore-sold-2026-11-20.xlsx", with the date of the device. */
function fileName({ filter, format }: ExportRequest, date = new Date()): string {
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()].map((part) => String(part).padStart(2, '0'));
  const animals = isSearch(filter) ? 'results' : (filter.status ?? 'all');
  return `${['petstore', animals, ...day].join('-')}.${format}`;
}
