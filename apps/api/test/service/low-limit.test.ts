import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { isolatedEnvironment, serviceDirectory } from '@petstore/processes/program.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestService } from '../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await TestService.prepare();
});
afterAll(() => service.remove());

describe.runIf(process.platform === 'linux')('a process that may open few files', () => {
  it('logs a warning at start', async () => {
    const command = `ulimit -n 300 && exec '${process.execPath}' '${serviceDirectory}main.js'`;
    const child = spawn('sh', ['-c', command], { env: isolatedEnvironment(service.variables) });
    let output = '';
    child.stdout.on('data', (chunk) => (output += String(chunk)));
    await expect.poll(() => output, { timeout: 30_000 }).toContain('may open only 300 files and connections');
    expect(output).toContain('"maxConnections":200');
    child.kill('SIGTERM');
    await once(child, 'exit');
  });
});
