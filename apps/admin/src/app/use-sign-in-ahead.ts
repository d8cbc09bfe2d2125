import { useEffect } from 'react';
import { loadSignIn } from './parts.js';

const quietAfterMs = 3000;

/** Loads what asks for a key once the page has come to rest: when a key is refused, that must not take long, or fail. */
export function useSignInAhead(): void {
  useEffect(() => {
    const timer = setTimeout(() => void loadSignIn().catch(() => undefined), quietAfterMs);
    return () => clearTimeout(timer);
  }, []);
}
