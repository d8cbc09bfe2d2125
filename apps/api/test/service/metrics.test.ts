import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '@petstore/test-kit/program.js';
import { TestService } from '@petstore/test-kit/test-service.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Api } from '../support/api.js';
import { useFolder } from '../support/folder.js';
import { addPet } from '../support/pets.js';
import { execute } from '../support/scratch-database.js';
import { apiOf, prepareWithCluster } from '../support/service.js';

const monitoring = new URL('../../../../deploy/monitoring/', import.meta.url);

let service: TestService;
let metricsUrl: string;
const directory = useFolder();

beforeAll(async () => {
  const port = await freePort();
  metricsUrl = `http://127.0.0.1:${port}/metrics`;
  service = (await prepareWithCluster()).with({
    METRICS_PORT: String(port),
    LOG_LEVEL: 'info',
    RATE_LIMIT_PER_MINUTE: '5',
    BACKUP_DIRECTORY: directory.path,
  });
  await service.start();
  await addPet(apiOf(service));
  await execute(
    await service.databaseUrl(),
    `INSERT INTO api_key (id, name, hash, scopes, expires_at, revoked_at) VALUES
       (5, 'tablet', '\\x01', '{read}', '2030-01-01', NULL), (6, 'lost', '\\x02', '{read}', '2030-01-01', now())`,
  );
});
afterAll(() => service.remove());

async function scrape(): Promise<string> {
  const { status, headers, text } = await new Api(metricsUrl).get('');
  expect(status).toBe(200);
  expect(headers.get('content-type')).toMatch(/^text\/plain/);
  return text;
}

function namesIn(text: string): string[] {
  return [...text.matchAll(/\b(?:petstore|process|nodejs)_[a-z0-9_]+/g)].map(([name]) => name);
}

describe('the metrics', () => {
  it('count requests by operation and status, never by path', async () => {
    await apiOf(service).get('/v1/pets?limit=1');
    await apiOf(service).get('/v1/pets/1');
    await apiOf(service).get('/v1/pets/0');
    await apiOf(service).get('/v1/secret-path');
    await apiOf(service).get('/v1/pets');
    const wrongKey = `psk_${'x'.repeat(43)}`;
    await new Api(service.url, wrongKey).get('/v1/pets');
    await new Api(service.url).get('/v1/pets');
    const text = await scrape();
    for (const line of [
      'http_requests_total{operation="createPet",status="201"} 1',
      'http_requests_total{operation="listPets",status="200"} 1',
      'http_requests_total{operation="listPets",status="401"} 2',
      'http_requests_total{operation="listPets",status="429"} 1',
      'http_requests_total{operation="getPet",status="404"} 1',
      'http_deprecated_requests_total{operation="getPet",api_key_id="1"} 2',
      'http_request_duration_seconds_count{operation="getPet"} 2',
      'authentication_failures_total{reason="missing"} 1',
      'authentication_failures_total{reason="invalid"} 1',
      'batch_size_count{statement="create"} 1',
      'batch_queue_length{statement="list"} 0',
      'database_connections{state="max"} 10',
    ]) {
      expect(text).toContain(`\npetstore_${line}\n`);
    }
    expect(text).toMatch(/\npetstore_build_info{version="[^"]+"} 1\n/);
    expect(text).not.toMatch(/secret-path|psk_/);
  });

  it('have the free space of the disk with the database', async () => {
    expect(Number(/\npetstore_data_directory_free_bytes (\d+)/.exec(await scrape())?.[1])).toBeGreaterThan(1_000_000);
  });

  it('have the times when the API keys that are not revoked expire', async () => {
    const time = Date.parse('2030-01-01') / 1000;
    expect((await scrape()).match(/petstore_api_key_expires.*}.*/g)).toEqual([
      `petstore_api_key_expires_timestamp_seconds{api_key_id="5"} ${time}`,
    ]);
  });

  it('are not served on the port of the API, and the metrics port serves nothing else', async () => {
    expect((await service.fetch('/metrics')).status).toBe(404);
    expect((await fetch(new URL('/v1/pets', metricsUrl))).status).toBe(404);
  });

  it.each(['grafana-dashboard.json', 'alerts.yml', 'no-requests.yml'])('include every metric of %s', async (file) => {
    const used = namesIn(await readFile(fileURLToPath(new URL(file, monitoring)), 'utf8'));
    expect(used.length).toBeGreaterThan(1);
    const exported = new Set(namesIn(await scrape()));
    expect(used.filter((name) => !exported.has(name))).toEqual([]);
  });
});

it('a crash of the embedded PostgreSQL is an error in the log and counts in the metrics; the service continues', async () => {
  const crashes = async () => Number(/petstore_postgres_crashes_total (\d+)/.exec(await scrape())?.[1]);
  const isReady = () => service.fetch('/readyz').then(({ status }) => status === 200);
  expect(await crashes()).toBe(0);
  const postmaster = await service.postmasterPid();
  // Without a pid, the signal would go to the processes of the tests.
  if (postmaster === undefined) throw new Error('PostgreSQL does not run.');
  process.kill(postmaster, 'SIGKILL');
  await expect.poll(crashes).toBe(1);
  await expect.poll(isReady).toBe(true);
  // Before this message, another crash counts as the same one.
  await expect.poll(() => service.output).toContain('PostgreSQL is running again.');
  expect(service.output).toMatch(/"event":"postgres_crashed".*PostgreSQL stopped unexpectedly\. Restarting it\./);
});
