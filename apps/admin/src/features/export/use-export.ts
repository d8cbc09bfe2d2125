import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { announce } from '../../shared/announcer.js';
import { formatCount } from '../../shared/format-count.js';
import { exportFile, type ExportProgress, type ExportRequest } from './export-file.js';
import { fileName } from './file-name.js';

export interface ExportedFile {
  name: string;
  /** A temporary address in this page. */
  url: string;
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
      const file = await exportFile(request, { signal: controller.current.signal, onProgress });
      return { name: fileName(request), url: URL.createObjectURL(file), count };
    },
    onSuccess: (file) => {
      download(file);
      announce(`Exported ${formatCount(file.count)} animals`);
    },
  });
  const cancel = () => controller.current?.abort();
  useEffect(() => () => controller.current?.abort(), []);
  useEffect(() => () => URL.revokeObjectURL(data?.url ?? ''), [data]);
  return { start: mutate, cancel, reset, progress, file: data, error, isRunning: isPending };
}

export function isCanceled(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function download({ name, url }: ExportedFile): void {
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
}
