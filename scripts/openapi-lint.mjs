import { createConfig, lint } from '@redocly/openapi-core';
import { fromRoot } from './workspace.mjs';

/** Prints the errors and warnings of Redocly's strictest rules. */
const config = await createConfig({ extends: ['recommended-strict'] });
const found = await lint({ ref: fromRoot('apps/api/openapi.json'), config });
for (const { ruleId, message, location } of found) {
  console.error(`${location[0]?.pointer ?? '#/'}: ${message} (${ruleId})`);
  process.exitCode = 1;
}
