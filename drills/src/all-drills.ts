import type { Drill } from './drill.js';
import { killedService } from './drills/killed-service.drill.js';

/** In the order in which they run. */
export const allDrills: readonly Drill[] = [killedService];
