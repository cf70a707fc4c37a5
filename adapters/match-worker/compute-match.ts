import { flow } from 'fp-ts/lib/function.js';
import { unpackMatchInput } from '../../application/evidence/packed-match.js';
import { matchSpeakersToFaces } from '../../domain/matching/match-speakers-to-faces.js';
import { serveTasks } from '../runtime/thread-tasks.js';

serveTasks({ work: flow(unpackMatchInput, matchSpeakersToFaces) });
