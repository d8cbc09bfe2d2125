import { afterEach, expect } from 'vitest';
import { errors } from './page.js';

afterEach(() => expect(errors.splice(0)).toEqual([]));
