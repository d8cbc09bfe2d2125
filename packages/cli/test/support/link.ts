import { FaultyLink, type FaultOf } from '@petstore/test-kit/faulty-link.js';
import { inject, onTestFinished, vi } from 'vitest';

/** Starts a link to a service for a test. The variables are those of a command that uses it. */
export async function linkTo(faultOf: FaultOf, serviceUrl: string = inject('serviceUrl')) {
  const link = await FaultyLink.to(serviceUrl, faultOf);
  onTestFinished(() => link.close());
  return { link, variables: { PETSTORE_URL: link.baseUrl, PETSTORE_API_KEY: inject('apiKey') } };
}

/** A link that holds all creates after the first ones, until `open` is called. */
export async function holdingLink(allowed: number, serviceUrl?: string) {
  let [creates, open] = [0, () => {}];
  const opened = new Promise<undefined>((resolve) => {
    open = () => resolve(undefined);
  });
  const { variables } = await linkTo(({ method }) => {
    if (method === 'POST') creates += 1;
    return creates > allowed ? opened : undefined;
  }, serviceUrl);
  return { variables, open, untilHeld: () => vi.waitUntil(() => creates > allowed, 30_000) };
}
