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

describe('the systemd units of one service and of several', () => {
  /** The settings of a unit without those that a service of several has differently. */
  const sharedSettings = (file: string) =>
    read(`systemd/${file}`)
      .split('\n')
      .filter((line) => line !== '' && !/^(#|Description=|Environment=|StateDirectory=)/.test(line));

  it('have the same sandbox and restarts', () => {
    const single = sharedSettings('petstore.service');
    expect(single.length).toBeGreaterThan(40);
    expect(sharedSettings('petstore@.service')).toEqual(single);
  });
});
