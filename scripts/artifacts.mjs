import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { copyService } from './package.mjs';
import { createSbom } from './sbom.mjs';
import { step, StepFailed } from './step.mjs';
import { build } from './turbo.mjs';
import { fromRoot, readManifest } from './workspace.mjs';

/** Builds what a release publishes into a new directory. SHA256SUMS has the hashes of all files. */
export async function createArtifacts([directory, ...rest]) {
  if (!directory || rest.length > 0)
    throw new StepFailed('Give the path of one new directory: npm run artifacts -- DIRECTORY');
  const target = resolve(directory);
  if (existsSync(target)) throw new StepFailed(`${target} already exists. Give the path of a new directory.`);
  await build();
  mkdirSync(target, { recursive: true });
  const name = `petstore-${readManifest('.').version}`;
  await archiveService(target, name);
  for (const folder of ['packages/client', 'packages/cli']) {
    await step(`Packing ${folder}`, 'npm', [
      'pack',
      fromRoot(folder),
      '--pack-destination',
      target,
      '--loglevel=error',
    ]);
  }
  writeFileSync(join(target, `${name}.cdx.json`), `${JSON.stringify(createSbom(), undefined, 2)}\n`);
  const files = readdirSync(target).toSorted();
  const sums = files.map((file) => `${hash(join(target, file))}  ${file}\n`);
  writeFileSync(join(target, 'SHA256SUMS'), sums.join(''));
  console.log(`${target} has ${[...files, 'SHA256SUMS'].join(', ')}.`);
}

async function archiveService(target, name) {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-artifacts-'));
  try {
    copyService(join(folder, name));
    await step('Packing the service', 'tar', ['-czf', join(target, `${name}.tar.gz`), '-C', folder, name]);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function hash(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex');
}
