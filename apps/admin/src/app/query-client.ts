import { focusManager, QueryClient } from '@tanstack/react-query';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // By default nothing is asked for while the browser thinks it is offline: a page would wait without a word.
      networkMode: 'always',
      // The client library tries again by itself.
      retry: false,
      // What was read before the page was there to show it is not read twice.
      staleTime: 5000,
      refetchOnWindowFocus: 'always',
      refetchOnReconnect: 'always',
    },
  },
});

// By default a window counts as returned to when its tab is shown again, not when it was visible behind another window.
focusManager.setEventListener((onReturn) => {
  const listener = () => onReturn();
  addEventListener('visibilitychange', listener);
  addEventListener('focus', listener);
  return () => {
    removeEventListener('visibilitychange', listener);
    removeEventListener('focus', listener);
  };
});
