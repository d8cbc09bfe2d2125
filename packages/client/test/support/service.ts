import type { TestProject } from 'vitest/node';
import { bootstrapKey, ServiceProcess } from '../../../../apps/api/test/support/service-process.js';

declare module 'vitest' {
  interface ProvidedContext {
    /** Of the built service, without a slash at its end. */
    serviceUrl: string;
    apiKey: string;
  }
}

/** One built service for all tests; each knows its own animals by a category of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const service = await ServiceProcess.prepare();
  await service.start();
  project.provide('serviceUrl', service.url);
  project.provide('apiKey', bootstrapKey);
  return () => service.remove();
}
