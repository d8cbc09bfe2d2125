/** How a project installs the packed client, and runs a program that uses it. */
export interface Installation {
  /** The configuration of the package manager. */
  files?: Record<string, string>;
  /** Arguments after it: the tarball. */
  install: readonly string[];
  /** Arguments after it: the program. */
  run: readonly string[];
  /** Default: `require`. */
  loadsBy?: 'import';
}

const npm = ['npm', 'install', '--no-audit', '--no-fund'];
const yarn = ['npx', '--yes', '--package', '@yarnpkg/cli-dist@4.18.1', 'yarn'];

function yarnWith(nodeLinker: string, run: readonly string[]): Installation {
  // An own lockfile makes the folder a project. In CI, Yarn would not write it by default.
  const files = { '.yarnrc.yml': `nodeLinker: ${nodeLinker}\nenableImmutableInstalls: false\n`, 'yarn.lock': '' };
  return { files, install: [...yarn, 'add'], run };
}

function onNode(version: string): Installation {
  return { install: [...npm, `node@${version}`], run: ['node_modules/node/bin/node'] };
}

export const installations: Record<string, Installation> = {
  npm: { install: npm, run: ['node'] },
  pnpm: { install: ['pnpm', 'add'], run: ['node'] },
  'Yarn 1': { install: ['npx', '--yes', 'yarn@1.22.22', 'add'], run: ['node'] },
  'Yarn 4': yarnWith('node-modules', ['node']),
  // Plug'n'Play does not resolve the dependencies of an ES module that `require` loads.
  "Yarn 4 with Plug'n'Play": { ...yarnWith('pnp', [...yarn, 'node']), loadsBy: 'import' },
  'Node 22': onNode('22.22.0'),
  'Node 24': onNode('24.21.0'),
};
