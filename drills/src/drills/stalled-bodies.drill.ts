import { apiKey } from '@petstore/processes/service-process.js';
import { expectQuickAnswers } from '../clients/quick-answers.js';
import type { Drill, Ground } from '../drill.js';
import { creationHead, sendWithoutReading } from '../hostile/raw-client.js';
import { makeKey } from '../keys/made-key.js';
import { Service } from '../servers/service.js';
import { number, seconds, type Tally } from '../tally.js';

/** As many as the service handles at a time, and some more. */
const requests = 500;

export const stalledBodies: Drill = {
  name: 'stalled-bodies',
  about: '500 creations without their bodies, with a read-only key and with one that may write',
  limitSeconds: 60,
  async run({ cleanup, isQuick }: Ground, tally: Tally): Promise<void> {
    const service = await Service.start(cleanup);
    const readOnly = await makeKey(service, ['--name', 'read-only', '--scopes', 'read']);
    for (const [name, key] of [
      ['a read-only key', readOnly.key],
      ['a key that may write', apiKey],
    ] as const) {
      const head = creationHead(key, 100);
      const sockets = await Promise.all(Array.from({ length: requests }, () => sendWithoutReading(service.port, head)));
      const slowest = await expectQuickAnswers(service, isQuick ? 2000 : 10_000, tally);
      for (const socket of sockets) socket.destroy();
      tally.note(`${number(requests)} with ${name}: slowest response to others ${seconds(slowest)}`);
    }
  },
};
