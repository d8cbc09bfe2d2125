import { readFirst } from './app/first-read.js';
import { followKeysInAddress } from './shared/key-in-address.js';

// Before the router reads the address: a key leaves it at once.
followKeysInAddress();
// What the page shows is on its way while the larger part of the code still loads.
readFirst(location);
void import('./app/start.js');
