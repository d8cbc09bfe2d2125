import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { announce } from '../../shared/focus.js';
import { download } from '../../shared/download.js';
import { formatAnimals } from '../../shared/format.js';
import { exportFile, type ExportProgress, type ExportRequest, fileName } from './export-file.js';

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

export function isCanceled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}
