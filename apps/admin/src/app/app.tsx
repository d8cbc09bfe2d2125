import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { startTransition, StrictMode, Suspense, useEffect, useInsertionEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { lazyComponent } from '../shared/load-code.js';
import { currentSession, useSession } from '../shared/session.js';
import { ErrorPage } from './error-pages.js';
import { HasJustSignedIn } from './layout.js';
import { loadSignIn } from './lazy-chunks.js';
import { queryClient } from './queries.js';
import { router } from './router.js';
import { cssVariables, theme } from './theme.js';

const SignInPage = lazyComponent(async () => (await loadSignIn()).SignInPage);
const SignInDialog = lazyComponent(async () => (await loadSignIn()).SignInDialog);

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <CatchBoundary getResetKey={() => 0} errorComponent={ErrorPage}>
          <Suspense>
            <SignInGate />
          </Suspense>
        </CatchBoundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The page at the address, or the sign-in page. If the service rejects the key later, a dialog opens over the page. */
function SignInGate() {
  const session = useSession();
  const isSignedIn = session !== undefined;
  const [hasJustSignedIn, setHasJustSignedIn] = useState(!isSignedIn);
  if (!isSignedIn && !hasJustSignedIn) setHasJustSignedIn(true);
  useEffect(() => {
    if (!isSignedIn) queryClient.clear();
  }, [isSignedIn]);
  // Before the layout effects: the router restores the scroll position in one, and the frame is above the page.
  useInsertionEffect(() => document.querySelector('#shell')?.remove(), []);
  if (!isSignedIn) return <SignInPage />;
  return (
    <>
      <HasJustSignedIn value={hasJustSignedIn}>
        <RouterProvider router={router} />
      </HasJustSignedIn>
      <Suspense>{session.rejection && <SignInDialog rejection={session.rejection} />}</Suspense>
    </>
  );
}

const sleep = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

/** A slow service delays a reload by this time only. */
const maxWaitMs = 1000;

/** Waits for the content of a page to which the tab returns: without its rows, it has no scroll position to restore. */
export async function start(content?: Promise<void>): Promise<void> {
  const element = document.querySelector('#root');
  if (!element) throw new Error('index.html has no #root');
  const root = createRoot(element);
  // Otherwise the router renders everything twice: once without the page, once with it.
  if (currentSession()) await router.load();
  if (content) await Promise.race([content, sleep(maxWaitMs)]);
  // A transition keeps the page responsive. Until it ends, the frame of index.html is visible.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}
