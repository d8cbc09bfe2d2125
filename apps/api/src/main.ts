import { keepHeapSmall } from './platform/process/heap.js';

// Before anything else is loaded: V8 judges already by what loading leaves.
keepHeapSmall();
await import('./start.js');
