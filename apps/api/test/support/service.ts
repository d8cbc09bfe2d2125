import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Program, serviceDirectory } from '@petstore/processes/program.js';
import { apiKey, TestService } from '@petstore/processes/test-service.js';
import { inject } from 'vitest';
import { Api } from './api.js';
import { createMigratedDatabase } from './scratch-database.js';

const run = promisify(execFile);

/** Prepares a service and adds a cluster. `TestService.prepare` leaves that to the first start. */
export async function prepareWithCluster(): Promise<TestService> {
  const service = await TestService.prepare();
  await addCluster(service);
  return service;
}

/**
 * Copies an empty cluster that does not wait for the disk: on a slow one, creating a cluster takes longer than most tests.
 * The copies keep their owner.
 */
export async function addCluster({ dataDir }: TestService): Promise<void> {
  await run('cp', ['-a', inject('cluster'), join(dataDir, 'postgres')]);
}

/** Uses a new database on the server of the tests: such a service starts sooner than with an embedded one. */
export async function prepareOnServer(): Promise<TestService> {
  return TestService.prepare({ DATABASE_URL: (await createMigratedDatabase()).url });
}

export function apiOf({ url }: TestService): Api {
  return new Api(url, apiKey);
}

/** Starts it in a terminal of `script` (util-linux) without waiting. Returns the program and a function that types there. */
export function launchAtTerminal(service: TestService): Program {
  const shellCommand = `exec '${process.execPath}' '${serviceDirectory}main.js'`;
  const command = ['/usr/bin/script', '-qfec', shellCommand, '/dev/null'];
  return service.launch({ command, stdio: 'pipe' });
}
