import type { Endpoint } from './endpoint.js';
import { accountEndpoints } from './routes/accounts.js';
import { auditEndpoints } from './routes/audit.js';
import { audioEndpoints } from './routes/audios.js';
import { evidenceEndpoints } from './routes/evidence.js';
import { matchingEndpoints } from './routes/matching.js';
import { nameInferenceEndpoints } from './routes/name-inference.js';
import { realtimeEndpoints } from './routes/realtime.js';
import { tagEndpoints } from './routes/tags.js';
import { undoEndpoints } from './routes/undo.js';
import { videoEndpoints } from './routes/videos.js';

/** All endpoints that require an API key. The routes and the OpenAPI document are made from these. */
export const endpoints: ReadonlyArray<Endpoint> = [
  ...realtimeEndpoints,
  ...matchingEndpoints,
  ...undoEndpoints,
  ...videoEndpoints,
  ...tagEndpoints,
  ...audioEndpoints,
  ...evidenceEndpoints,
  ...nameInferenceEndpoints,
  ...accountEndpoints,
  ...auditEndpoints,
];
