import { useTimeout } from '@mantine/hooks';
import { useState } from 'react';

/** In advance: the code must be there even if the network is down when it is first used. */
const prefetchMs = 3000;

/**
 * Code that loads at its first use. Until then, the page stays as it is: `Suspense` would replace it by a fallback, or by
 * an error.
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
