import { mkdirSync, rmSync } from 'node:fs';
import { afterAll, beforeAll } from 'vitest';
import { folder } from './command.js';

beforeAll(() => {
  mkdirSync(folder);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
