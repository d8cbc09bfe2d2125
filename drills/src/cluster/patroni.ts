import { setTimeout as sleep } from 'node:timers/promises';

const healthyMs = 120_000;

/** Waits until Patroni on one of these machines reports that it is the primary. */
export async function untilPrimary(machines: readonly string[]): Promise<void> {
  for (const begin = Date.now(); Date.now() - begin < healthyMs; await sleep(50)) {
    for (const machine of machines) if ((await request(`http://${machine}:8008/primary`))?.ok) return;
  }
  throw new Error(`None of ${machines.join(', ')} was the primary after ${healthyMs / 1000} s.`);
}

async function request(url: string): Promise<{ ok: boolean; text: string } | undefined> {
  return fetch(url, { signal: AbortSignal.timeout(2000) }).then(
    async (response) => ({ ok: response.ok, text: await response.text() }),
    () => undefined,
  );
}

interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
  readonly timeline?: number;
}

/** Asks Patroni on any of these machines about all of them. `undefined`: none responds. */
async function members(machines: readonly string[]): Promise<readonly Member[] | undefined> {
  for (const machine of machines) {
    const response = await request(`http://${machine}:8008/cluster`);
    if (response) return (JSON.parse(response.text) as { members: Member[] }).members;
  }
  return undefined;
}

/** Waits until there is one primary, one synchronous standby and one more standby. Returns the name of the primary. */
export async function untilHealthy(machines: readonly string[]): Promise<string> {
  let last: readonly Member[] | undefined;
  for (const begin = Date.now(); Date.now() - begin < healthyMs; await sleep(500)) {
    last = await members(machines);
    const primary = last && isHealthy(last) && last.find(({ role }) => role === 'leader');
    if (primary) return primary.name;
  }
  throw new Error(`The cluster was not healthy after ${healthyMs / 1000} s: ${JSON.stringify(last)}`);
}

function isHealthy(all: readonly Member[]): boolean {
  const roles = all.map(({ role }) => role).toSorted();
  const isRunning = all.every(({ state }) => state === 'running' || state === 'streaming');
  const hasOneTimeline = new Set(all.map(({ timeline }) => timeline)).size === 1;
  return isRunning && hasOneTimeline && String(roles) === 'leader,replica,sync_standby';
}
