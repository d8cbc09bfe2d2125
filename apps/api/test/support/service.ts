import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { apiKey, TestService } from '@petstore/test-kit/test-service.js';
import { inject } from 'vitest';
import { Api } from './api.js';

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

export function apiOf({ url }: TestService): Api {
  return new Api(url, apiKey);
}
