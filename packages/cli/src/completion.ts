import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import tab from '@bomb.sh/tab/commander';
import type { Command } from 'commander';

/** Adds `petstore completion <shell>`. */
export function addCompletion(program: Command): void {
  const root = tab(program, { completionCommandName: 'completion' });
  // The scripts of the library do not complete file names.
  for (const name of ['import', 'export']) {
    const file = root.commands.get(name)?.arguments.get('file');
    if (file) file.handler = (complete) => filesLike(process.argv.at(-1) ?? '').forEach((path) => complete(path, ''));
  }
}

/** The files in the directory of a path that is not complete yet. */
function filesLike(path: string): string[] {
  const folder = path.endsWith('/') ? path : dirname(path);
  try {
    const entries = readdirSync(folder, { withFileTypes: true });
    return entries.map((entry) => `${join(folder, entry.name)}${entry.isDirectory() ? '/' : ''}`);
  } catch {
    return [];
  }
}
