import { Button } from '@mantine/core';
import { download } from '../../shared/download.js';
import { ErrorNotice } from '../../shared/error-notice.js';
import { formatAnimals, formatCount } from '../../shared/format.js';
import type { ExportProgress } from './export-file.js';
import { type ExportedFile, isCanceled, type useExport } from './use-export.js';

export function ExportResult({ run: { progress, file, error, isRunning } }: { run: ReturnType<typeof useExport> }) {
  if (isRunning) return <Progress progress={progress} />;
  if (file) return <Done file={file} />;
  if (!error) return null;
  if (isCanceled(error)) return <p role="status">Export canceled. No file was saved.</p>;
  return (
    <ErrorNotice error={error} action="see animals">
      <p>No file was saved. Start the export again.</p>
    </ErrorNotice>
  );
}

function Progress({ progress }: { progress: ExportProgress | undefined }) {
  if (!progress) return <p>Starting…</p>;
  const { exported, total } = progress;
  return (
    <div>
      <progress aria-label="Export" value={exported} max={Math.max(exported, total, 1)} />
      <p>
        {formatCount(exported)} of {formatAnimals(total)}. Stay on this page until the file is saved.
      </p>
    </div>
  );
}

function Done({ file: { name, content, count } }: { file: ExportedFile }) {
  return (
    <div>
      <p>Exported {formatAnimals(count)}. The browser saved the file in its downloads folder.</p>
      <Button variant="default" mt="sm" onClick={() => download(name, content)}>
        Save the file again
      </Button>
    </div>
  );
}
