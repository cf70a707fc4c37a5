import { constVoid } from 'fp-ts/lib/function.js';
import type { Log } from '../../../application/ports/log.js';

export const silentLog: Log = { info: constVoid, warn: constVoid, error: constVoid };
