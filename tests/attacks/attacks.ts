import { connections } from './kinds/connections.js';
import { files } from './kinds/files.js';
import { floods } from './kinds/floods.js';
import { littleRights } from './kinds/little-rights.js';
import { largeAnswers } from './kinds/large-answers.js';
import { largeBodies } from './kinds/large-bodies.js';
import { malformedLists } from './kinds/malformed-lists.js';
import { protocolAttacks } from './kinds/protocol-port.js';
import { realtime } from './kinds/realtime.js';
import { work } from './kinds/work.js';
import { repetitions } from './kinds/repetitions.js';
import { waiting } from './kinds/waiting.js';
import { throughNginx } from './kinds/through-proxy.js';
import type { Attack } from './support/scene.js';

/** Every attack, in the order in which they are made. */
export const attacks: ReadonlyArray<Attack> = [
  ...malformedLists,
  ...largeBodies,
  ...connections,
  ...throughNginx,
  ...largeAnswers,
  ...littleRights,
  ...floods,
  ...realtime,
  ...work,
  ...repetitions,
  ...waiting,
  ...files,
  ...protocolAttacks,
];
