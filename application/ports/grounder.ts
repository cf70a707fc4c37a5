import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { Grounding } from '../../domain/grounding/ground.js';
import type { ResultRow } from '../../domain/grounding/result-row.js';
import type { NameModelFailed } from './name-model.js';

/** Says what of a model's answer stands, by the rules of the domain; a long transcript holds nobody else up. */
export type Grounder = (grounding: Grounding) => TaskEither<NameModelFailed, ReadonlyArray<ResultRow>>;
