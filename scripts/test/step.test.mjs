import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it, onTestFinished } from 'vitest';
import { execute } from '../step.mjs';

describe('a step', () => {
  it('returns the exit code and the output', async () => {
    const { code, output } = await execute('sh', ['-c', 'echo one; echo two >&2; exit 3']);
    expect([code, output.split('\n').toSorted()]).toEqual([3, ['', 'one', 'two']]);
  });

  it('names a program that does not exist', async () => {
    expect(await execute('no-such-program', [])).toMatchObject({
      code: 127,
      output: expect.stringContaining('ENOENT'),
    });
  });

  it('passes a signal on to its program and the processes of that program, then exits', async () => {
    // Without the signal, they outlive the test.
    const { parent } = start(`execute('sh', ['-c', 'kill -TERM $PPID; sleep 300; true'])`);
    expect(await once(parent, 'close')).toEqual([143, null]);
  });

  it('exits after a signal when its last program has stopped, and starts no other', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'petstore-step-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = join(folder, 'still-here');
    const slow = 'trap \'sleep 1; rm "$0"; exit\' TERM; : > "$0"; while :; do sleep 0.1; done';
    const quick = 'until [ -e "$0" ]; do sleep 0.1; done; kill -TERM $PPID; exec sleep 300';
    const all = [slow, quick].map((script) => `execute('sh', ${JSON.stringify(['-c', script, file])})`);
    const { parent, output } = start(`Promise.race([${all.join()}]).then(() => console.log('went on'))`);
    expect([await once(parent, 'close'), await output, existsSync(file)]).toEqual([[143, null], '', false]);
  });
});

/** Starts a process that runs a line of code with `execute`. */
function start(line) {
  const module = new URL('../step.mjs', import.meta.url).href;
  const parent = spawn(process.execPath, ['-e', `import('${module}').then(({ execute }) => ${line})`]);
  onTestFinished(() => parent.kill('SIGKILL'));
  return { parent, output: text(parent.stdout) };
}
