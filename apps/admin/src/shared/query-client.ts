import { focusManager, QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // By default, requests wait in silence while the browser is offline. Staff should see the error instead.
      networkMode: 'always',
      // The client library retries.
      retry: false,
      // What the router has requested for a page is not requested again.
      staleTime: 5000,
      refetchOnWindowFocus: 'always',
      refetchOnReconnect: 'always',
    },
    mutations: { networkMode: 'always' },
  },
});

// By default, only a tab that was hidden refetches, not a window that was behind another one.
focusManager.setEventListener((onFocus) => {
  const listener = () => onFocus();
  addEventListener('visibilitychange', listener);
  addEventListener('focus', listener);
  return () => {
    removeEventListener('visibilitychange', listener);
    removeEventListener('focus', listener);
  };
});
