import { afterAll, afterEach, expect } from 'vitest';
import { errors, failures } from './page.js';
import { closeStore } from './store.js';

afterEach(() => expect([...errors.splice(0), ...failures.splice(0)]).toEqual([]));
afterAll(closeStore);
