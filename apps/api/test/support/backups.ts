import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

/** A temporary directory with a backup. */
export class Backups {
  private constructor(readonly directory: string) {}

  static async create(): Promise<Backups> {
    return new Backups(await mkdtemp(join(tmpdir(), 'petstore-backup-')));
  }

  get file(): string {
    return join(this.directory, 'petstore.backup.gz');
  }

  async text(): Promise<string> {
    return gunzipSync(await readFile(this.file)).toString();
  }

  /** Writes a copy of the backup with another text, and returns its path. */
  async change(change: (text: string) => string): Promise<string> {
    const path = join(this.directory, 'changed.backup.gz');
    await writeFile(path, gzipSync(change(await this.text())));
    return path;
  }

  remove(): Promise<void> {
    return rm(this.directory, { recursive: true });
  }
}
