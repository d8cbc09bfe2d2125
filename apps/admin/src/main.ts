// First, so that the styles of our components override Mantine's.
import './app/styles.js';
import { prefetchPage } from './app/prefetch-page.js';
import { restoreLastList } from './features/pets/list-search.js';
import { joinOtherTabs } from './shared/session.js';
import { followSignInLinks } from './shared/sign-in-link.js';

// First, so that a key leaves the address before the router reads it.
followSignInLinks();
restoreLastList();
const code = import('./app/app.js');
await joinOtherTabs();
// Requests the data of the page while most of the code still loads.
prefetchPage(location);
await (await code).start();
