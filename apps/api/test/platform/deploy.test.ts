import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpLimits } from '../../src/platform/http/limits.js';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../../../../deploy', file), 'utf8');

describe('the time after which a proxy closes an idle connection', () => {
  it.each([
    ['caddy/Caddyfile', /^\s*keepalive (\d+)s$/m],
    ['nginx/petstore.conf', /^upstream petstore \{[^}]*^\s*keepalive_timeout (\d+)s;$/m],
    ['cluster/haproxy.cfg', /^\s*timeout http-keep-alive (\d+)s$/m],
  ])('is shorter in deploy/%s than in the service', (file, setting) => {
    const [, seconds] = setting.exec(read(file)) ?? [];
    expect(Number(seconds) * 1000).toBeLessThanOrEqual(httpLimits.keepAliveTimeoutMs - 10_000);
  });
});
