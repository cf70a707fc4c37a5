import * as t from 'io-ts';
import { nullable } from '../../../domain/kernel/event-codecs.js';

/** `dry_run` answers the same and writes nothing. */
export const RevertBody = t.partial({ dry_run: nullable(t.boolean) }, 'RevertBody');
