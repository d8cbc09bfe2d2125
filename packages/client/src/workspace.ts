// The client as this repository imports it. The published package has only what index.ts exports.

export * from './index.js';
export { connectionFault } from './errors.js';
export { walkPages } from './pet-list.js';
export { readCategories, readKeyInfo } from './store-info.js';
