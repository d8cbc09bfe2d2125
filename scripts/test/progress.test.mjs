import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { reportProgress } from '../progress.mjs';

class Output {
  text = '';
  columns = 40;
  constructor(isTTY) {
    this.isTTY = isTTY;
  }
  write(text) {
    this.text += text;
  }
}

describe('the progress of a step', () => {
  it('is not reported for a step that ends at once', () => {
    const output = new Output(false);
    reportProgress('Building', output).end(true);
    expect(output.text).toBe('');
  });

  it('is one line with the time for a step that takes longer', async () => {
    const output = new Output(false);
    const progress = reportProgress('Building', output);
    await sleep(700);
    progress.end(true);
    expect(output.text).toMatch(/^Building … \d+\.\d s\n$/);
  });

  it('includes the last line of the program on a terminal, cut to its width, without notices of turbo', async () => {
    const output = new Output(true);
    const progress = reportProgress('Installing packages', output);
    progress.note('Progress: resolved 1\nProgress: resolved 503, reused 400, added 300\n');
    progress.note('   • Remote caching disabled\n');
    await sleep(1300);
    progress.end(true);
    expect(output.text).toContain('\r\u001B[KInstalling packages … 1 s  Progress: re');
    expect(output.text).toMatch(/\r\u001B\[KInstalling packages … \d+\.\d s\n$/);
  });

  it('names a step that fails at once', () => {
    const output = new Output(false);
    reportProgress('Building', output).end(false);
    expect(output.text).toMatch(/^Building … failed after \d+\.\d s\n$/);
  });
});
