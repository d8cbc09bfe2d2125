import { errorCodes, errorTable, int64 } from '@petstore/contracts';

const codes = errorCodes
  .map((code) => `| ${errorTable[code].status} | \`${code}\` | ${errorTable[code].meaning} |`)
  .join('\n');

/** What holds for every operation, in Markdown. */
export const introduction = `## Authentication

Send an API key with every request: \`Authorization: Bearer <API_KEY>\`. The operator of the service creates keys with
\`npm run keys -- create\`. A key has one or both of these scopes:

- \`read\` lists and gets.
- \`write\` creates.

Without a valid key the status is 401. Without the scope of the operation it is 403.

## Errors

Every error has the same body, with a code for programs and a message for people:

\`\`\`json
{ "code": "invalid_query", "message": "\`limit\` must be an integer between 1 and 100.", "status": 400 }
\`\`\`

Messages may change. More codes may be added: if you do not know a code, act on the HTTP status. Quote the
\`X-Request-Id\` header of the response when you report a problem.

| Status | Code | Meaning |
| --- | --- | --- |
${codes}

After a connection error or one of the statuses 409, 429, 502, 503 and 504, try again: after \`Retry-After\` seconds, or with
increasing delays. You can repeat a GET at any time. Repeat a create only with the \`Idempotency-Key\` of its first attempt.

## Rate limits

The operator can limit the requests of each API key per minute. Each process of the service counts its own requests, so
several processes together accept more. Responses then have the headers \`RateLimit-Policy\` (the limit) and \`RateLimit\`
(what remains in this process). Above the limit, the status is 429 and \`Retry-After\` is the number of seconds to wait.

## Request ids

Every response has the header \`X-Request-Id\`, which identifies the request in the log of the service. To choose the id, send
\`X-Request-Id\` with 1 to 128 letters, digits, \`.\`, \`_\` or \`-\`. The service replaces any other id.

## Exact integers

\`id\` and \`categoryId\` are int64: JSON integers from ${int64.min} to ${int64.max}. JavaScript's \`JSON.parse\` rounds
integers beyond 2^53 (9007199254740992).

- The project's own client \`@petstore/client\` returns them as \`bigint\`, with every digit.
- Clients in Go, Java, C# and Rust with 64-bit fields keep every digit, and so does Python's \`json\`.
- TypeScript clients that are generated from this document round them, because they use \`JSON.parse\`. Give them a
  parser such as \`lossless-json\`, or keep category numbers below 2^53. The ids that the service assigns start at 1.
- The documentation page \`/docs\` shows the digits that the service sent.`;
