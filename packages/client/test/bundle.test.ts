import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { rolldown } from 'rolldown';
import { describe, expect, it } from 'vitest';

const built = fileURLToPath(new URL('../dist/index.js', import.meta.url));

/** Bundles and minifies one line of code for browsers. */
async function bundle(line: string) {
  const entry = {
    name: 'entry',
    resolveId: (id: string) => (id === 'entry' ? id : null),
    load: (id: string) => (id === 'entry' ? line : null),
  };
  const build = await rolldown({ input: 'entry', platform: 'browser', plugins: [entry] });
  const { output } = await build.generate({ minify: true });
  await build.close();
  expect(output).toHaveLength(1);
  const [{ code, imports }] = output;
  return { size: gzipSync(code).length, imports };
}

describe('the client in a bundle', () => {
  it('takes less than 12 kB (gzip) in full, and uses no Node module', async () => {
    const { size, imports } = await bundle(`export * from '${built}';`);
    expect(imports).toEqual([]);
    expect(size).toBeLessThan(12_000);
    // The size in the README.
    expect(Math.round(size / 1000)).toBe(10);
  });

  it('contains only what is imported', async () => {
    const { size } = await bundle(`export { PetstoreApiError } from '${built}';`);
    expect(size).toBeLessThan(500);
  });
});
