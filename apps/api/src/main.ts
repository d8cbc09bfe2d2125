import { tuneV8 } from './platform/process/v8.js';

// Before anything else is loaded: V8 judges already by what loading leaves.
tuneV8();
await import('./start.js');
