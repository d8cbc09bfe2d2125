import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';

/** Loads the code in advance, because the network may be down when it is first used. */
const prefetchMs = 3000;

/**
 * Loads code for its first use. Until then, the page does not change. `Suspense` would replace it with a fallback or an
 * error.
 */
export function useLazyCode<T>(load: () => Promise<T>): { code: T | undefined; loadCode: () => void } {
  const [code, setCode] = useState<{ loaded: T }>();
  useTimeout(() => void load().catch(() => undefined), prefetchMs, { autoInvoke: true });
  const loadCode = () =>
    void load().then(
      (loaded) => setCode((current) => current ?? { loaded }),
      () => undefined,
    );
  return { code: code?.loaded, loadCode };
}
