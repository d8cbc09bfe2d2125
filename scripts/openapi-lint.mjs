import { createConfig, lint } from '@redocly/openapi-core';
import { fromRoot } from './workspace.mjs';

/** Prints the errors and warnings of Redocly's strictest rules, which do not include these two. */
const rules = { 'no-invalid-parameter-examples': 'error', 'no-invalid-schema-examples': 'error' };
const config = await createConfig({ extends: ['recommended-strict'], rules });
const found = await lint({ ref: fromRoot('apps/api/openapi.json'), config });
for (const { ruleId, message, location } of found) {
  console.error(`${location[0]?.pointer ?? '#/'}: ${message} (${ruleId})`);
  process.exitCode = 1;
}
