import type { ChildProcess } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { file, finish, newCategory, run, start } from './support/command.js';
import { storedNames } from './support/store.js';

const names = Array.from({ length: 200 }, (_, index) => `Rex ${index}`);

/** Sends a signal when the import has created some animals, and waits for its end. */
async function interrupt(child: ChildProcess, signal: NodeJS.Signals) {
  let created = 0;
  child.stdout?.on('data', (chunk) => {
    created += String(chunk).split('"created"').length - 1;
    if (created >= 20 && !child.killed) child.kill(signal);
  });
  return finish(child);
}

describe('an import that is interrupted', () => {
  it.for(['SIGINT', 'SIGTERM', 'SIGKILL'] as const)(
    'by %s continues with the next run, and adds each animal once',
    async (signal) => {
      const categoryId = newCategory();
      const name = file(`${signal}.csv`, `name,categoryId\n${names.map((text) => `${text},${categoryId}`).join('\n')}`);
      const args = ['import', name, '--json', '--concurrency', '4'];
      const child = start(args);
      const first = await interrupt(child, signal);
      if (signal === 'SIGKILL') {
        expect(child.signalCode).toBe('SIGKILL');
      } else {
        expect(first.code).toBe(130);
        expect(first.stderr).toBe('The import is not complete. Run the same command again to continue.\n');
        expect(first.stdout).toMatch(/"interrupted":0,"isComplete":false\}\n$/);
      }
      expect((await storedNames(categoryId)).length).toBeLessThan(names.length);
      expect(await run(args)).toMatchObject({ code: 0, stderr: '' });
      expect(await storedNames(categoryId)).toEqual(names.toSorted());
    },
  );
});
