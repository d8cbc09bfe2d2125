import type { Drill, DrillContext } from '../drill.js';
import { PostgresServer } from '@petstore/processes/postgres-server.js';
import { apiKey } from '@petstore/processes/service-process.js';
import { Service } from '../servers/service.js';
import { number, type Tally } from '../tally.js';
import { sendWrongKeys } from '../keys/wrong-keys.js';
import { expectRejectedSoon } from '../keys/revoked-keys.js';
import { expectLimited } from '../keys/rate-limit.js';
import { expectHidden } from '../keys/hidden-keys.js';
import { createKey } from '../keys/created-key.js';

const ratePerMinute = 200;

export const keys: Drill = {
  name: 'keys',
  about: 'wrong, revoked and expired keys, a key beyond its rate limit, a key in the wrong place',
  limitSeconds: 120,
  async run({ cleanup, isQuick }: DrillContext, tally: Tally): Promise<void> {
    const postgres = await PostgresServer.start(cleanup);
    const written: string[] = [];
    const variables = { DATABASE_URL: postgres.url(), LOG_LEVEL: 'trace' };
    const onOutput = (text: string) => void written.push(text);
    const first = await Service.start(cleanup, { variables, onOutput });
    const limits = { ...variables, RATE_LIMIT_PER_MINUTE: String(ratePerMinute) };
    const second = await Service.start(cleanup, { variables: limits, onOutput });
    const created = await createKey(first, ['--name', 'drill', '--scopes', 'read,write']);

    const sent = await sendWrongKeys({ service: first, postgres, tally }, isQuick ? 2000 : 20_000);
    await expectLimited(second, ratePerMinute, tally);
    const slowest = await expectRejectedSoon([first, second], postgres, tally);
    await expectHidden({ postgres, services: [first, second], keys: [apiKey, created.key], written }, tally);
    tally.note(`wrong keys ${number(sent)}, revoked keys rejected after ${number(Math.round(slowest))} ms at most`);
  },
};
