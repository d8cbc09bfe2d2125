import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settings } from '../../src/platform/config/config.js';

const page = join(import.meta.dirname, '../../../../docs/settings.md');

const introduction = `# Settings

Settings are environment variables. The service reads them once, at start. If a value is invalid, the service names the
variable, the problem and the allowed values, and exits with code 78. An empty variable counts as unset.

Write paths as they are on disk, without \`~\` and quotation marks: no shell reads a setting. Defaults are in parentheses.

<!-- Generated from apps/api/src/platform/config by apps/api/test/platform/settings.test.ts. -->
`;

/** The items of a list, whose lines have at most 130 characters, as those of the other pages. */
const items = Object.values(settings).map(({ name, whenUnset, meaning }) => {
  const text = `- \`${name}\`${defaultText(whenUnset)}: ${meaning}`;
  return text.replaceAll(/(.{1,128})(?: |$)/g, '$1\n  ').trimEnd();
});

function defaultText(value: unknown): string {
  return value === undefined || value === false || Array.isArray(value) ? '' : ` (${String(value)})`;
}

it('docs/settings.md lists every variable with its default; `npx vitest run test/platform/settings.test.ts -u` writes it', async () => {
  const content = `${introduction}\n${items.join('\n')}\n`;
  await expect(content).toMatchFileSnapshot(page);
});
