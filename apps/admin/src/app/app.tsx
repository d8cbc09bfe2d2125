import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { SignInDialog, SignInPage } from '../features/sign-in/sign-in.js';
import { queryClient } from '../shared/query-client.js';
import { useSession } from '../shared/session.js';
import { ErrorPage } from './error-pages.js';
import { HasJustSignedIn } from './focus-on-navigation.js';
import { router } from './router.js';
import { cssVariables, theme } from './theme.js';

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <CatchBoundary getResetKey={() => 0} errorComponent={ErrorPage}>
          <SignInGate />
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
  if (!isSignedIn) return <SignInPage />;
  return (
    <>
      <HasJustSignedIn value={hasJustSignedIn}>
        <RouterProvider router={router} />
      </HasJustSignedIn>
      {session.rejection && <SignInDialog rejection={session.rejection} />}
    </>
  );
}
