import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import type { Cleanup } from '@petstore/test-kit/cleanup.js';
import { childrenOf } from '@petstore/test-kit/process-usage.js';
import { freePort, isolatedEnvironment, Program } from '@petstore/test-kit/program.js';
import { expect } from 'vitest';
import { clientOf } from './drill.js';

type Variables = Readonly<Record<string, string>>;

/** Returns the program and its arguments that run a command in an image. */
export type Runtime = (variables: Variables) => readonly string[];

/** Runs a command in the image. Returns what it prints. */
export async function execute(runtime: Runtime, command: readonly string[], variables: Variables = {}) {
  const [program = '', ...args] = [...runtime(variables), ...command];
  return (await promisify(execFile)(program, args)).stdout;
}

/** The service in a container. */
export class Container {
  private constructor(
    readonly program: Program,
    readonly port: number,
  ) {}

  /** Starts the service and waits until it is ready. */
  static async start(cleanup: Cleanup, runtime: Runtime, variables?: Variables): Promise<Container> {
    const container = await Container.launch(cleanup, runtime, variables);
    await container.program.ready(`${container.url}/readyz`);
    return container;
  }

  /** Starts the service without waiting. */
  static async launch(cleanup: Cleanup, runtime: Runtime, variables: Variables = {}): Promise<Container> {
    const port = await freePort();
    const command = [...runtime({ ...variables, PORT: String(port) }), 'node', 'apps/api/dist/main.js'];
    return cleanup.own(
      async () => new Container(new Program(command, { env: isolatedEnvironment({}) }), port),
      ({ program }) => terminate(program),
    );
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  async createAnimal(apiKey: string): Promise<void> {
    await clientOf(this.url, { apiKey }).createPet({ name: 'Rex', categoryId: 7n });
  }

  async stop(): Promise<void> {
    expect(await terminate(this.program), this.program.output).toBe(0);
  }
}

/** Sends SIGTERM to the service, as container runtimes do. The parents of its process do not forward the signal. */
function terminate(program: Program): Promise<number | null> {
  const isService = (pid: number) => readFileSync(`/proc/${pid}/comm`, 'utf8').trim() === 'node';
  if (!program.hasEnded) process.kill(family(program.pid).find(isService) ?? program.pid, 'SIGTERM');
  return program.exited();
}

function family(pid: number): number[] {
  return [pid, ...childrenOf(pid).flatMap(family)];
}
