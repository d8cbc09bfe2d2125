import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { isolatedEnvironment } from '@petstore/test-kit/program.js';
import { installClient } from '@petstore/test-kit/packed-package.js';

const packageDirectory = fileURLToPath(new URL('../../', import.meta.url));
const compiler = join(packageDirectory, 'node_modules/typescript/bin/tsc');
const run = promisify(execFile);

/** A new project outside the repository that has installed the packed client. */
export class Project {
  readonly client: string;

  private constructor(readonly directory: string) {
    this.client = join(directory, 'node_modules/@petstore/client');
  }

  static async create(): Promise<Project> {
    const project = new Project(await mkdtemp(join(tmpdir(), 'petstore-project-')));
    await installClient(project.directory);
    await project.link('@types/node');
    return project;
  }

  /** Writes a file, with parsed JSON or text. */
  async write(name: string, content: string | object): Promise<void> {
    await writeFile(join(this.directory, name), typeof content === 'string' ? content : JSON.stringify(content));
  }

  /** Compiles files strictly. Fails with the errors of the compiler. */
  async compile(files: string[], options: object): Promise<void> {
    const strict = { strict: true, skipLibCheck: false, target: 'ES2022' };
    const compilerOptions = { ...strict, rootDir: '.', outDir: 'built', ...options };
    await this.write('tsconfig.json', { compilerOptions, files });
    await run(process.execPath, [compiler, '-p', this.directory]).catch((error: { stdout: string }) => {
      throw new Error(error.stdout);
    });
  }

  /** Runs a program in the project. Returns the lines that it prints. */
  async run(program: string, variables: Record<string, string> = {}): Promise<string[]> {
    const options = { cwd: this.directory, env: isolatedEnvironment(variables), timeout: 60_000 };
    const { stdout, stderr } = await run(process.execPath, [program], options);
    if (stderr !== '') throw new Error(stderr);
    return stdout.trimEnd().split('\n');
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true });
  }

  private async link(name: string): Promise<void> {
    const path = join(this.directory, 'node_modules', name);
    await mkdir(join(path, '..'), { recursive: true });
    await symlink(join(packageDirectory, 'node_modules', name), path);
  }
}
