import { setTimeout as sleep } from 'node:timers/promises';
import { drill } from './drill.js';
import { Service } from './servers/service.js';
import { number, type Tally } from './tally.js';

const writers = 16;

drill('SIGTERM while 16 clients write without retries', { timeout: 180_000 }, async ({ cleanup, isQuick, tally }) => {
  const service = await Service.start(cleanup);
  const rounds = isQuick ? 2 : 10;
  let unanswered = 0;
  for (let round = 0; round < rounds; round += 1) {
    const clients = new PlainWriters(service, tally, `in round ${round}`);
    await sleep(500 + Math.random() * 500);
    const code = await service.end('SIGTERM');
    tally.expect(code === 0, `the service exited with ${code}`);
    await clients.finish();
    await service.start();
    await check(service, clients, tally);
    unanswered += clients.unanswered.length;
  }
  tally.note(`${number(rounds)} stops, ${number(unanswered)} requests not accepted`);
});

/** A request without a response must not have been accepted, so its animal must not be stored. */
async function check(service: Service, { acknowledged, unanswered }: PlainWriters, tally: Tally): Promise<void> {
  const stored = new Map<string, bigint>();
  for await (const { id, name } of service.client().listPets({ limit: 100 })) stored.set(name, id);
  for (const [name, id] of acknowledged) if (stored.get(name) !== id) tally.lost += 1;
  for (const name of unanswered) tally.expect(!stored.has(name), 'a create was accepted but got no response');
}

/** Clients that send each create once, without retries. */
class PlainWriters {
  readonly acknowledged = new Map<string, bigint>();
  /** The names of the animals whose create got no response. */
  readonly unanswered: string[] = [];
  readonly #running: Promise<void>[];
  #isFinishing = false;

  constructor(
    private readonly service: Service,
    private readonly tally: Tally,
    prefix: string,
  ) {
    this.#running = Array.from({ length: writers }, (_, writer) => this.#write(`${prefix} of writer ${writer}`));
  }

  async finish(): Promise<void> {
    this.#isFinishing = true;
    await Promise.all(this.#running);
  }

  async #write(prefix: string): Promise<void> {
    for (let index = 0; !this.#isFinishing; index += 1) {
      const name = `animal ${index} ${prefix}`;
      const body = JSON.stringify({ name, categoryId: 1 });
      const request = { method: 'POST', headers: { 'content-type': 'application/json' }, body };
      try {
        this.#check(name, await this.service.fetch('/v1/pets', request).then(read));
      } catch {
        this.unanswered.push(name);
        await sleep(20);
      }
    }
  }

  #check(name: string, { status, text }: { status: number; text: string }): void {
    if (status === 201) {
      this.tally.acknowledged += 1;
      this.acknowledged.set(name, BigInt(/"id":(\d+)/.exec(text)?.[1] ?? 0));
    } else if (status === 503) this.tally.rejected += 1;
    else this.tally.wrong.push(`a create returned ${status}: ${text.slice(0, 200)}`);
  }
}

async function read(response: Response): Promise<{ status: number; text: string }> {
  return { status: response.status, text: await response.text() };
}
