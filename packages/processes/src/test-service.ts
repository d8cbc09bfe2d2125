import type { TestProject } from 'vitest/node';
import { apiKey, chooseSettings, ServiceProcess } from './service-process.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** The address of the built service, without a trailing slash. */
    serviceUrl: string;
    apiKey: string;
  }
}

/** Starts one built service for all tests; each test uses its own category of animals. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = new ServiceProcess(await chooseSettings());
  await service.start().catch(async (error: unknown) => {
    await service.remove();
    throw error;
  });
  project.provide('serviceUrl', service.url);
  project.provide('apiKey', apiKey);
  return () => service.remove();
}
