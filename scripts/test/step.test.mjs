import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it, onTestFinished } from 'vitest';
import { execute } from '../step.mjs';

describe('a step', () => {
  it('returns the exit code and all that was written', async () => {
    const { code, output } = await execute('sh', ['-c', 'echo one; echo two >&2; exit 3']);
    expect([code, output.split('\n').toSorted()]).toEqual([3, ['', 'one', 'two']]);
  });

  it('fails with the name of a program that is not there', async () => {
    expect(await execute('no-such-program', [])).toMatchObject({
      code: 127,
      output: expect.stringContaining('ENOENT'),
    });
  });

  it('passes a signal on to its program and then ends', async () => {
    const module = new URL('../step.mjs', import.meta.url).href;
    // Without the signal, the program outlives the test.
    const code = `import('${module}').then((m) => m.execute('sh', ['-c', 'kill -TERM $PPID; exec sleep 300']))`;
    const parent = spawn(process.execPath, ['-e', code]);
    onTestFinished(() => parent.kill('SIGKILL'));
    expect(await once(parent, 'close')).toEqual([143, null]);
  });
});
