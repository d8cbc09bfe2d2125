import { type Category, type KeyInfo, parseJson } from '@petstore/contracts';
import { checkOptions, type PetstoreClientOptions, type RequestOptions } from './options.js';
import { readBody } from './responses.js';
import { Transport } from './transport.js';

// What the service offers next to its API, for the petstore command and the admin. Only this repository can import it: the
// published package does not contain it. The functions send requests and throw errors as the operations of a client do.

/** Reads the name and the scopes of the API key. */
export async function readKeyInfo(client: PetstoreClientOptions, options: RequestOptions = {}): Promise<KeyInfo> {
  const response = await new Transport(checkOptions(client)).send({ path: '../key.json' }, options);
  return readBody(response, (text) => {
    const keyInfo = JSON.parse(text) as KeyInfo;
    if (Array.isArray(keyInfo.scopes)) return keyInfo;
    throw new TypeError('The scopes are missing.');
  });
}

/** Reads the categories of the store. Requires the scope `read`. */
export async function readCategories(client: PetstoreClientOptions, options: RequestOptions = {}): Promise<Category[]> {
  const response = await new Transport(checkOptions(client)).send({ path: '../categories.json' }, options);
  return readBody(response, (text) => {
    const categories = parseJson(text);
    if (Array.isArray(categories)) return categories as Category[];
    throw new TypeError('The body is not a list.');
  });
}
