import { idempotencyRetentionHours, listLimits } from '@petstore/contracts';
import { petHeaders } from './pet-headers.openapi.js';

/** Paging, retries and deprecation, in Markdown. */
export const petsIntroduction = `## Paging

\`GET /pets\` returns one page of at most \`limit\` animals (default ${listLimits.default}, maximum ${listLimits.max}).
To get the next page, follow the \`Link\` header with \`rel="next"\`. The last page has none. A walk over all pages
returns every animal that existed when it started, exactly once. Cursors are opaque: do not build them yourself.

\`\`\`http
Link: ${petHeaders.Link.example}
\`\`\`

## Idempotent retries

If a response is lost, you do not know whether the animal was added. Send an \`Idempotency-Key\` with every \`POST /pets\`, such as
a UUID, and repeat the request with the same key:

- The same key with the same animal returns the first response again, with \`Idempotency-Replayed: true\`.
- The same key with a different animal returns 422.
- While the first request is still running, the status is 409. Try again after \`Retry-After\` seconds.
- A rejected request leaves the key unused.

The service remembers a key for ${idempotencyRetentionHours} hours, for each API key separately.

## Deprecation

\`GET /pets/{petId}\` is deprecated and will be removed on 5 December 2030. From then on it returns 410. Use
\`GET /pets?id={petId}\`, which returns an array with the animal, or an empty array. Until then, every response of the
deprecated operation has the headers \`Deprecation\`, \`Sunset\` and \`Link\` with \`rel="successor-version"\`.`;
