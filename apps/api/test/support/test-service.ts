import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { embeddedPostgresUrl } from '@petstore/embedded-postgres';
import { isolatedEnvironment, runProgram, serviceDirectory } from '@petstore/processes/program.js';
import { apiKey, chooseSettings, ServiceProcess } from '@petstore/processes/service-process.js';
import { Api } from './api.js';
import { createMigratedDatabase, type ScratchDatabase } from './scratch-database.js';

/** The built service, on an embedded database in its own temporary data directory unless DATABASE_URL is set. */
export class TestService extends ServiceProcess {
  #terminal: ChildProcess | undefined;
  #database: ScratchDatabase | undefined;

  static async prepare(): Promise<TestService> {
    return new TestService(await chooseSettings());
  }

  /** With a new database on the server of the tests: it starts sooner than with an embedded one. */
  static async prepareOnServer(): Promise<TestService> {
    const service = await TestService.prepare();
    service.#database = await createMigratedDatabase();
    return service.with({ DATABASE_URL: service.#database.url });
  }

  get api(): Api {
    return new Api(this.url, apiKey);
  }

  /** Starts it in a terminal of `script` (util-linux) without waiting. Input to `stdin` is typed there. */
  launchAtTerminal(): ChildProcess {
    const command = `exec '${process.execPath}' '${serviceDirectory}main.js'`;
    const env = isolatedEnvironment(this.variables);
    this.#terminal = spawn('/usr/bin/script', ['-qfec', command, '/dev/null'], { env });
    for (const stream of [this.#terminal.stdout, this.#terminal.stderr]) {
      stream?.on('data', (chunk) => (this.output += String(chunk)));
    }
    return this.#terminal;
  }

  /** The URL of the embedded database. */
  databaseUrl(): Promise<string> {
    return embeddedPostgresUrl(this.dataDir);
  }

  async connect(): Promise<Socket> {
    const socket = connect(this.port, '127.0.0.1');
    await once(socket, 'connect');
    return socket.on('error', () => undefined);
  }

  /** Whether its port accepts connections. */
  isListening(): Promise<boolean> {
    return this.connect().then(
      (socket) => Boolean(socket.destroy()),
      () => false,
    );
  }

  /** Runs it until it exits, while another server uses its port. */
  async runWithPortInUse() {
    const other = createServer().listen(this.port, '127.0.0.1');
    await once(other, 'listening');
    const result = await runProgram('main.js', [], this.variables);
    other.close();
    await once(other, 'close');
    return result;
  }

  override async remove(): Promise<void> {
    const terminal = this.#terminal;
    if (terminal?.exitCode === null && terminal.signalCode === null) {
      terminal.kill('SIGTERM');
      await once(terminal, 'exit');
    }
    await super.remove();
    await this.#database?.drop();
  }
}
