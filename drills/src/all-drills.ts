import type { Drill } from './drill.js';
import { accessLog } from './drills/access-log.drill.js';
import { backup } from './drills/backup.drill.js';
import { clientPackage } from './drills/client-package.drill.js';
import { cluster } from './drills/cluster.drill.js';
import { databaseAway } from './drills/database-away.drill.js';
import { databaseTools } from './drills/database-tools.drill.js';
import { diskFull } from './drills/disk-full.drill.js';
import { documentation } from './drills/documentation.drill.js';
import { containerImage } from './drills/image.drill.js';
import { hostileClients } from './drills/hostile-clients.drill.js';
import { importDrill } from './drills/import.drill.js';
import { keys } from './drills/keys.drill.js';
import { killedService } from './drills/killed-service.drill.js';
import { openapiClients } from './drills/openapi-clients.drill.js';
import { overload } from './drills/overload.drill.js';
import { pgbouncer } from './drills/pgbouncer.drill.js';
import { pipelining } from './drills/pipelining.drill.js';
import { prometheus } from './drills/prometheus.drill.js';
import { proxies } from './drills/proxies.drill.js';
import { severalServices } from './drills/several-services.drill.js';
import { stoppedService } from './drills/stopped-service.drill.js';
import { stalledBodies } from './drills/stalled-bodies.drill.js';
import { upgrade } from './drills/upgrade.drill.js';

/** Drills run in this order. */
export const allDrills: readonly Drill[] = [
  killedService,
  stoppedService,
  databaseAway,
  diskFull,
  overload,
  hostileClients,
  pipelining,
  stalledBodies,
  accessLog,
  keys,
  severalServices,
  pgbouncer,
  upgrade,
  backup,
  databaseTools,
  importDrill,
  prometheus,
  proxies,
  containerImage,
  documentation,
  clientPackage,
  cluster,
  openapiClients,
];
