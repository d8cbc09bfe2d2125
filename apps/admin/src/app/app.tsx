import { MantineProvider } from '@mantine/core';
import { QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useEffect } from 'react';
import { SignInDialog } from '../features/sign-in/sign-in-dialog.js';
import { SignInPage } from '../features/sign-in/sign-in-page.js';
import { useSession } from '../shared/session.js';
import { queryClient } from './query-client.js';
import { router } from './router.js';
import './styles.js';
import { cssVariables, theme } from './theme.js';

export function App() {
  return (
    <MantineProvider theme={theme} cssVariablesResolver={cssVariables} defaultColorScheme="auto">
      <QueryClientProvider client={queryClient}>
        <SignedIn />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** The page that the address names, once there is a key; a key that is refused later is asked for over the page. */
function SignedIn() {
  const session = useSession();
  const isSignedIn = session !== undefined;
  useEffect(() => {
    if (!isSignedIn) queryClient.clear();
  }, [isSignedIn]);
  if (!isSignedIn) return <SignInPage />;
  return (
    <>
      <RouterProvider router={router} />
      {session.refusal !== undefined && <SignInDialog refusal={session.refusal} />}
    </>
  );
}
