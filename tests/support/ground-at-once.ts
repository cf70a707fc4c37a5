import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Grounder } from '../../application/ports/name-model.js';
import { ground } from '../../domain/grounding/ground.js';

/** A grounder that runs in the calling thread. */
export const groundAtOnce: Grounder = (grounding) => TE.fromIO(() => ground(grounding));
