import { int64 } from '@petstore/contracts';

/** What holds for every operation, in Markdown. */
export const introduction = `## Authentication

Send an API key with every request: \`Authorization: Bearer <API_KEY>\`. The operator of the service creates keys with
\`npm run keys -- create\`. The scope \`read\` of a key lists and gets, \`write\` creates.

## Errors

Every error has a code for programs and a message for people:

\`\`\`json
{ "code": "invalid_query", "message": "\`limit\` must be an integer between 1 and 100, in plain digits.", "status": 400 }
\`\`\`

After a connection error or one of the statuses 409, 429, 502, 503 and 504, try again: after \`Retry-After\` seconds, or with
increasing delays. You can repeat a GET at any time. Repeat a create only with the \`Idempotency-Key\` of its first attempt, within 24 hours.
Quote the \`X-Request-Id\` of the response when you report a problem.

## Exact integers

\`id\` and \`categoryId\` are int64: JSON integers from ${int64.min} to ${int64.max}. JavaScript's \`JSON.parse\`, and thus many
generated TypeScript clients, round them beyond 2^53 (9007199254740992). \`@petstore/client\` returns every digit.`;
