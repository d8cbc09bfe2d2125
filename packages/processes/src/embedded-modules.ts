import { serviceDirectory } from './program.js';

export interface DataFolder {
  readonly root: string;
  readonly cluster: string;
}

/** The parts of the built service that start PostgreSQL. */
export interface EmbeddedModules {
  openDataFolder: (dataDir: string) => Promise<DataFolder>;
  ensureCluster: (folder: DataFolder, log: () => void) => Promise<void>;
  startPostmaster: (folder: DataFolder) => Promise<unknown>;
  databaseUrl: (root: string) => string;
}

export async function loadEmbeddedModules(): Promise<EmbeddedModules> {
  const names = ['data-folder', 'cluster', 'postmaster', 'connection'];
  const load = (name: string) => import(`${serviceDirectory}platform/database/embedded/${name}.js`) as Promise<object>;
  return Object.assign({}, ...(await Promise.all(names.map(load)))) as EmbeddedModules;
}
