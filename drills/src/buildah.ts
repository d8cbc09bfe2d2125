import { execFile } from 'node:child_process';
import { copyFile, cp, mkdir, realpath, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Cleanup } from '@petstore/test-kit/cleanup.js';
import { temporaryDirectory } from '@petstore/test-kit/temporary-directory.js';

const run = promisify(execFile);
const maxOutputBytes = 1e8;
const certificates = '/etc/ssl/certs/ca-certificates.crt';
const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

/** Builds and runs images without a daemon. The images are in a temporary directory. */
export class Buildah {
  private constructor(private readonly directory: string) {}

  static async create(cleanup: Cleanup): Promise<Buildah> {
    return cleanup.own(
      async () => new Buildah(await temporaryDirectory(cleanup)),
      (buildah) => buildah.run('rm', '--all'),
    );
  }

  /** The arguments of every command. */
  get storage(): string[] {
    const { directory } = this;
    return ['--storage-driver', 'vfs', '--root', join(directory, 'root'), '--runroot', join(directory, 'run')];
  }

  /**
   * Returns what the command prints.
   * @throws Error with its output if it fails.
   */
  async run(...args: string[]): Promise<string> {
    const { stdout } = await run('buildah', [...this.storage, ...args], { maxBuffer: maxOutputBytes });
    return stdout.trim();
  }

  /** The command of the image's health check. */
  async healthCheck(image: string): Promise<readonly string[]> {
    const description = JSON.parse(await this.run('inspect', '--type', 'image', image)) as {
      Docker: { config: { Healthcheck: { Test: readonly string[] } } };
    };
    return description.Docker.config.Healthcheck.Test.slice(1);
  }

  /**
   * Creates what a registry would provide: an image of Debian with the Node and the npm of this machine. Returns the
   * directory with its files.
   */
  async createBaseImage(name: string, cleanup: Cleanup): Promise<string> {
    const root = await temporaryDirectory(cleanup);
    await run('debootstrap', ['--variant=minbase', 'bookworm', root]);
    await rm(join(root, 'var/cache/apt/archives'), { recursive: true });
    await installNode(join(root, 'usr/local'));
    await mkdir(join(root, dirname(certificates)), { recursive: true });
    await copyFile(certificates, join(root, certificates));
    const container = await this.run('from', 'scratch');
    await this.run('copy', '--quiet', container, root, '/');
    await this.run('config', '--env', `PATH=${path}`, '--env', `NODE_EXTRA_CA_CERTS=${certificates}`, container);
    await this.run('commit', '--quiet', '--rm', '--format', 'docker', container, name);
    return root;
  }
}

async function installNode(prefix: string): Promise<void> {
  const { stdout } = await run('npm', ['root', '--global']);
  const modules = join(prefix, 'lib/node_modules');
  await mkdir(modules, { recursive: true });
  await cp(await realpath(join(stdout.trim(), 'npm')), join(modules, 'npm'), { recursive: true });
  await copyFile(process.execPath, join(prefix, 'bin/node'));
  await symlink('../lib/node_modules/npm/bin/npm-cli.js', join(prefix, 'bin/npm'));
}
