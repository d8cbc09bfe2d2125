import { type ComponentType, createElement, use, useState } from 'react';

/** Code of the admin did not load: no connection, or a new version has replaced it on the server. */
export class CodeNotLoaded extends Error {
  override readonly name = 'CodeNotLoaded';

  constructor(
    override readonly cause: unknown,
    /** Loads it again. Never rejects. */
    readonly retry: () => Promise<void> = () => Promise.resolve(),
  ) {
    super('Code of this page did not load', { cause });
  }
}

/** A component whose code loads at its first use. If that fails, it throws CodeNotLoaded until a retry succeeds. */
export function lazyComponent<Props extends object>(load: () => Promise<ComponentType<Props>>) {
  let component: ComponentType<Props> | undefined;
  let failure: CodeNotLoaded | undefined;
  let loading: Promise<void> | undefined;
  const preload = () => (loading ??= loadOnce());
  async function loadOnce(): Promise<void> {
    try {
      component ??= await load();
    } catch (error) {
      failure = new CodeNotLoaded(error, preload);
    } finally {
      loading = undefined;
    }
  }
  function Lazy(props: Props) {
    if (!component && failure) throw failure;
    if (!component) use(preload());
    return component && createElement(component, props);
  }
  // The router waits for it before it shows the page.
  return Object.assign(Lazy, { preload });
}

/**
 * Loads code for its first use. Until then, the page does not change. `Suspense` would replace it with a fallback or an
 * error.
 */
export function useLazyCode<T>(load: () => Promise<T>): { code: T | undefined; loadCode: () => void } {
  const [code, setCode] = useState<{ loaded: T }>();
  const loadCode = () =>
    void load().then(
      (loaded) => setCode((current) => current ?? { loaded }),
      () => undefined,
    );
  return { code: code?.loaded, loadCode };
}

/** Whether the server answers with a newer version than this page. */
export async function hasNewVersion(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[type=module][src]');
  try {
    const response = await fetch('/', { cache: 'no-store' });
    const hasOwnScript = (html: string) => script !== null && html.includes(new URL(script.src).pathname);
    return response.ok && !hasOwnScript(await response.text());
  } catch {
    return false;
  }
}
