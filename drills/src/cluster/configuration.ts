import { fileURLToPath } from 'node:url';

const directory = new URL('../../../deploy/cluster/', import.meta.url);

/** The path of a file of deploy/cluster, which the drill uses without changes. */
export function configuration(file: string): string {
  return fileURLToPath(new URL(file, directory));
}
