import { ErrorNotice } from '../../shared/error-notice.js';
import { formatCount } from '../../shared/format-count.js';
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
        {formatCount(exported)} of {formatCount(total)} animals. Stay on this page until the file is saved.
      </p>
    </div>
  );
}

function Done({ file: { name, url, count } }: { file: ExportedFile }) {
  return (
    <p>
      Exported {formatCount(count)} {count === 1 ? 'animal' : 'animals'}. If the file was not saved,{' '}
      <a href={url} download={name}>
        save {name}
      </a>
      .
    </p>
  );
}
