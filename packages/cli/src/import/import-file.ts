import { type CheckedFile, checkFile } from '@petstore/import-export/check-file.js';
import type { ImportResult } from '@petstore/import-export/import-result.js';
import type { Source } from '@petstore/import-export/source.js';
import { type Connection, createClient, findConnection } from '../connection.js';
import { exitCodes } from '../exit-codes.js';
import { explainError } from '../explain-error.js';
import { readKeyInfo, requireScope } from '../key-info.js';
import { stopSignal } from '../stop-signal.js';
import { withSource } from './file-source.js';
import type { ImportFlags } from './import-flags.js';
import { ImportReport, notRun } from './import-report.js';
import { journalPathOfContent } from './journal-path.js';
import { runImport } from './run-import.js';

/** Imports a file and returns the exit code. */
export async function importFile(file: string, flags: ImportFlags): Promise<number> {
  const signal = stopSignal();
  const connection = flags.dryRun ? undefined : await findConnection(flags);
  // Before the check of the file, which can take long.
  const apiKeyId = connection && (await requireWriteKey(connection));
  return withSource(file, signal, async (source, isCopy) => {
    const report = new ImportReport(file, flags.json === true);
    const checked = await check(source, report, signal);
    const canImport = checked.invalid === 0 || flags.skipInvalid;
    if (!connection || !apiKeyId || !canImport) return report.finish(checked, notRun);
    const { contentHash } = checked;
    const journalPath = flags.journal ?? (isCopy ? await journalPathOfContent(contentHash) : `${file}.journal`);
    const options = { report, connection, apiKeyId, journalPath, flags, signal };
    return finish(report, checked, await runImport(checked, options));
  });
}

/** Returns the id of the API key. */
async function requireWriteKey(connection: Connection): Promise<string> {
  // Validates the key before it is sent.
  createClient(connection);
  const keyInfo = await readKeyInfo(connection);
  requireScope(keyInfo, 'write');
  return String(keyInfo.id);
}

/** Unlike the import, the check can stop anywhere. */
async function check(source: Source, report: ImportReport, signal: AbortSignal): Promise<CheckedFile> {
  const stoppable: Source = async function* read() {
    for await (const chunk of source()) {
      signal.throwIfAborted();
      yield chunk;
    }
  };
  const checked = await checkFile(stoppable, (line) => report.invalid(line));
  return { ...checked, source };
}

function finish(report: ImportReport, checked: CheckedFile, result: ImportResult): number {
  const exitCode = report.finish(checked, result);
  if (result.isComplete) return exitCode;
  const failureCode = result.failure ? explainError(result.failure) : exitCodes.interrupted;
  console.error('The import is not complete. Run the same command again to continue.');
  return failureCode;
}
