import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { currentSession } from '../shared/session.js';
import { App } from './app.js';
import { router } from './router.js';

const element = document.querySelector('#root');
if (!element) throw new Error('index.html has no #root');
const root = createRoot(element);
// A router that finds its page only once it is on the screen renders all of it again, and in one go.
if (currentSession()) await router.load();
// In steps that leave room for what the person does meanwhile; until then there is what index.html shows.
startTransition(() =>
  root.render(
    <StrictMode>
      <App />
    </StrictMode>,
  ),
);
