import { afterAll } from 'vitest';
import { closeLinks } from './clients.js';

afterAll(closeLinks);
