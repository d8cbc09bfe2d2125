import { chown, mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import type { Client } from 'pg';
import { connect } from '@petstore/processes/database.js';
import { configuration } from './configuration.js';
import { Machine } from './machine.js';

/** The user and group of Debian's PostgreSQL. */
interface Owner {
  readonly uid: number;
  readonly gid: number;
}

const mounts = ['/var/lib/postgresql', '/var/lib/etcd', '/var/run/postgresql'] as const;

/** A machine that runs PostgreSQL, Patroni and etcd as deploy/cluster describes. */
export class DatabaseMachine {
  private constructor(
    readonly machine: Machine,
    private readonly directory: string,
    private readonly variables: Record<string, string>,
  ) {}

  static async create(name: string, address: string, directory: string): Promise<DatabaseMachine> {
    const owner = await postgresUser();
    for (const mount of mounts) {
      const path = join(directory, mount);
      await mkdir(path, { recursive: true });
      await chown(path, owner.uid, owner.gid);
    }
    const own = (await readFile(configuration('node.conf'), 'utf8')).replaceAll('db1', name);
    const common = await readFile(configuration('etcd.conf'), 'utf8');
    const variables = { ...parseEnv(common), ...parseEnv(own) } as Record<string, string>;
    return new DatabaseMachine(await Machine.create(name, address), directory, variables);
  }

  get name(): string {
    return this.machine.name;
  }

  start(): void {
    this.#run('etcd', ['/usr/bin/etcd']);
    this.#run('patroni', ['/usr/bin/patroni', '/etc/patroni/patroni.yml']);
  }

  /** Connects inside the machine, also while it is cut off. */
  connect(): Promise<Client> {
    const socket = join(this.directory, '/var/run/postgresql');
    return connect(`postgresql://petstore:change-this@/petstore?host=${encodeURIComponent(socket)}`);
  }

  #run(program: string, command: readonly string[]): void {
    const asPostgres = ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', ...command];
    this.machine.start({
      command: asPostgres,
      variables: { ...this.variables, HOME: '/var/lib/postgresql' },
      mounts: {
        '/etc/patroni': configuration('.'),
        ...Object.fromEntries(mounts.map((path) => [path, join(this.directory, path)])),
      },
      log: join(this.directory, `${program}.log`),
    });
  }
}

async function postgresUser(): Promise<Owner> {
  const line = /^postgres:[^:]*:(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8'));
  if (!line) throw new Error('The user postgres does not exist.');
  return { uid: Number(line[1]), gid: Number(line[2]) };
}
