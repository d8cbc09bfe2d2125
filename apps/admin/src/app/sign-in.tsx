import { lazy } from 'react';
import { loadSignIn } from './parts.js';

// Not loaded before the first page that somebody with a key wants to see.
export const SignInPage = lazy(async () => ({ default: (await loadSignIn()).SignInPage }));
export const SignInDialog = lazy(async () => ({ default: (await loadSignIn()).SignInDialog }));
