import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { CatchBoundary, RouterProvider } from '@tanstack/react-router';
import { Suspense, useEffect, useLayoutEffect, useState } from 'react';
import { useSession } from '../shared/session.js';
import { PageError } from './page-error.js';
import { queryClient } from './query-client.js';
import { router } from './router.js';
import { SignInDialog, SignInPage } from './sign-in.js';
import './styles.js';
import { cssVariables, theme } from './theme.js';
import { FollowsSignIn } from './use-focus-on-navigation.js';
import { useSignInAhead } from './use-sign-in-ahead.js';

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <CatchBoundary getResetKey={() => 0} errorComponent={PageError}>
          <Suspense>
            <SignedIn />
          </Suspense>
        </CatchBoundary>
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The page that the address names, once there is a key; a key that is refused later is asked for over the page. */
function SignedIn() {
  const session = useSession();
  const isSignedIn = session !== undefined;
  const [followsSignIn, setFollowsSignIn] = useState(!isSignedIn);
  if (!isSignedIn && !followsSignIn) setFollowsSignIn(true);
  useEffect(() => {
    if (!isSignedIn) queryClient.clear();
  }, [isSignedIn]);
  useLayoutEffect(() => document.querySelector('#shell')?.remove(), []);
  useSignInAhead();
  if (!isSignedIn) return <SignInPage />;
  return (
    <>
      <FollowsSignIn value={followsSignIn}>
        <RouterProvider router={router} />
      </FollowsSignIn>
      <Suspense>{session.refusal !== undefined && <SignInDialog refusal={session.refusal} />}</Suspense>
    </>
  );
}
