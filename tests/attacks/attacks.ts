import { connections } from './kinds/connections.js';
import { largeBodies } from './kinds/large-bodies.js';
import { malformedLists } from './kinds/malformed-lists.js';
import type { Attack } from './support/scene.js';

/** Every attack, in the order in which they are made. */
export const attacks: ReadonlyArray<Attack> = [...malformedLists, ...largeBodies, ...connections];
