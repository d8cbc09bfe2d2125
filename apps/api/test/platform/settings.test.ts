import { join } from 'node:path';
import { expect, it } from 'vitest';
import { settings } from '../../src/platform/config/config.js';

const page = join(import.meta.dirname, '../../../../docs/settings.md');

const introduction = `# Settings

Settings are environment variables. The service reads them once, at start. If a value is invalid, the service names the
variable, the problem and the allowed values, and exits with code 78. An empty variable counts as unset. The service ignores
variables with other names.

Write paths as they are on disk: no shell reads a setting. A path has no control characters, no quotation marks or spaces at its
ends, and does not begin with \`~\` or a scheme such as \`s3:\`.

<!-- Generated from apps/api/src/platform/config by apps/api/test/platform/settings.test.ts. -->
`;

const rows = Object.values(settings).map((row) => [`\`${row.name}\``, defaultText(row.whenUnset), row.meaning]);

function defaultText(value: unknown): string {
  return value === undefined || value === false || Array.isArray(value) ? '' : String(value);
}

/** A Markdown table in the form of the formatter. */
function table(header: string[], cells: string[][]): string {
  const widths = header.map((_, column) => Math.max(...[header, ...cells].map((row) => row[column]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(header), line(widths.map((width) => '-'.repeat(width))), ...cells.map(line), ''].join('\n');
}

it('docs/settings.md lists every variable with its default; `npx vitest run test/platform/settings.test.ts -u` writes it', async () => {
  const content = `${introduction}\n${table(['variable', 'default', 'meaning'], rows)}`;
  await expect(content).toMatchFileSnapshot(page);
});
