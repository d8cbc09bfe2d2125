import { connectionFault, printable } from '@petstore/contracts';

/** The `fetch` of a command. With `--debug`, it prints each request and response to standard error, without the API key. */
export function fetchOf({ debug }: { debug?: true }): typeof fetch {
  if (!debug) return fetch;
  return async (input, init) => {
    const { method, url } = new Request(input, init);
    console.error(`> ${method} ${url}${typeof init?.body === 'string' ? ` ${init.body}` : ''}`);
    const begin = performance.now();
    const since = () => `after ${Math.round(performance.now() - begin)} ms`;
    try {
      const response = await fetch(input, init);
      const text = await response.clone().text();
      const id = response.headers.get('x-request-id') ?? 'none';
      console.error(`< ${response.status} ${since()}, request id ${id}: ${printable(text.trim())}`);
      return response;
    } catch (error) {
      console.error(`< no response ${since()}: ${connectionFault(error) ?? (error as Error).message}`);
      throw error;
    }
  };
}
