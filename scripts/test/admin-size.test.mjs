import { describe, expect, it } from 'vitest';
import { filesOf } from '../admin-size.mjs';

const manifest = {
  'index.html': { file: 'index.js', imports: ['_shared.js'], dynamicImports: ['src/start.ts', 'src/other.ts'] },
  '_shared.js': { file: 'shared.js' },
  'src/start.ts': { file: 'start.js', imports: ['_shared.js', 'index.html'] },
  'src/other.ts': { file: 'other.js' },
  'style.css': { file: 'style.css' },
};

describe('the size of the admin', () => {
  it('counts the entries, the files that they import, each once, and the style sheets', () => {
    const files = filesOf(manifest, ['index.html', 'src/start.ts']);
    expect(files).toEqual(['style.css', 'index.js', 'shared.js', 'start.js']);
  });

  it('fails if the manifest has no such entry', () => {
    expect(() => filesOf(manifest, ['src/gone.ts'])).toThrow('no entry src/gone.ts');
  });
});
