import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { fromRoot } from '../workspace.mjs';

/** A test of each feature: its file, without the suffix, and its title. */
const tests = {
  client: {
    Operations: ['client/test/operations', 'uses the list, not the deprecated operation'],
    'Every digit': ['client/test/headers', 'stringifyJson writes an animal with every digit'],
    Pages: ['client/test/operations', 'returns the same animals one by one and by page, in every iteration'],
    'Safe retries': ['client/test/lossy-link', 'create exactly 200 animals'],
    'Time limits': ['client/test/errors', 'aborts an operation with its reason, unchanged'],
    Details: ['client/test/with-response', 'of a create returns the animal, the request id and whether'],
    'Own headers': ['client/test/headers', 'has the name and version of the client, and the headers and the id'],
    Observation: ['client/test/attempts', 'does not change the outcome of the operation when it throws'],
    Errors: ['client/test/headers', 'A status that the client does not know is named'],
    'Secret key': ['client/test/headers', 'The API key is in no output of a client'],
    'Wrong options': ['client/test/unknown-options', 'of a list, which would return every animal'],
    'Own `fetch`': ['client/test/options', 'is called as a function'],
    Small: ['client/test/bundle', 'takes less than 12 kB (gzip) in full'],
    'Every project': ['client/test/package', 'compiles for Node as ES module and as CommonJS'],
  },
  cli: {
    '`list`, `get`, `create`': ['cli/test/commands', 'print an animal as JSON with all digits'],
    '`whoami`': ['cli/test/commands', 'prints the service, the name and the scopes of the key'],
    '`login`, `logout`': ['cli/test/login', 'is removed by logout'],
    '`import`': ['cli/test/import', 'creates the animals of a file, and a second run creates nothing'],
    'Check before import': ['cli/test/import', 'names each invalid line and creates nothing'],
    'Interrupted imports': ['cli/test/interrupted-import', 'by SIGKILL continues with the next run'],
    'Files of spreadsheets': [
      'cli/test/import-settings',
      'reads the columns that it names, and a second run needs no flags',
    ],
    '`--skip-existing`': ['cli/test/import-settings', 'skips animals that the store has, and decides this once'],
    '`export`': ['cli/test/export', 'whose import gives the same animals'],
    Pipes: ['cli/test/broken-output', 'ends the command with exit code 141 and no message'],
    'Rate limits': ['cli/test/rate-limit', 'An import of more rows than the rate limit allows waits, says so'],
    Progress: ['cli/test/terminal', 'an import has a progress bar with rate and time left, and colors'],
    Errors: ['cli/test/commands', 'exits with %i and explains the error'],
    Completion: ['cli/test/completion', 'in bash completes commands, flags, values and files'],
    'Offline package': ['cli/test/package', 'installs without the network, and runs'],
  },
};

/** The first cells of the table at the start of a README. */
function featuresOf(name) {
  const [table = ''] = /^\| feature .*?\n\n/ms.exec(readFileSync(fromRoot(`packages/${name}/README.md`), 'utf8')) ?? [];
  const [, , ...rows] = table.trim().split('\n');
  return rows.map((row) => row.split('|')[1].trim());
}

describe.each(Object.keys(tests))('the table of features of packages/%s', (name) => {
  it('has a test for each feature', () => {
    expect(featuresOf(name)).toEqual(Object.keys(tests[name]));
    for (const [file, title] of Object.values(tests[name])) {
      expect([file, readFileSync(fromRoot(`packages/${file}.test.ts`), 'utf8')]).toEqual([
        file,
        expect.stringContaining(title),
      ]);
    }
  });
});
