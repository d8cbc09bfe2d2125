import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { currentSession } from '../shared/session.js';
import { App } from './app.js';
import { router } from './router.js';

export async function start(): Promise<void> {
  const element = document.querySelector('#root');
  if (!element) throw new Error('index.html has no #root');
  const root = createRoot(element);
  // Otherwise the router renders everything twice: once without the page, once with it.
  if (currentSession()) await router.load();
  // A transition keeps the page responsive. Until it ends, the frame of index.html is visible.
  startTransition(() =>
    root.render(
      <StrictMode>
        <App />
      </StrictMode>,
    ),
  );
}
