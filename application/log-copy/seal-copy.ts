import { storedType, subjectsOf } from '../../domain/event-catalogue.js';
import {
  type JsonObject,
  type Position,
  type Subject,
  streamCategory,
  streamId,
} from '../../domain/kernel/recorded-event.js';
import { withoutHash } from '../../projections/audit/event-hash.js';
import { createLogScan } from '../../projections/audit/scan-log.js';
import { typeName } from '../../projections/event-selection.js';
import { aggregates } from '../application.js';
import { readLog } from '../audit/read-log.js';
import { verifyLog } from '../audit/verify-log.js';
import { readEvent } from '../commands/read-event.js';
import type { EventStore, NewEvent, StoredEvent } from '../ports/event-store.js';
import { orThrow } from '../failures.js';
import { type Copying, asItIs, copyLog } from './copy-log.js';

/**
 * Finds the subjects with whose keys an event of a log must be encrypted, as those of a new event: by the state of its
 * stream in the copy, which has all earlier events.
 */
const subjectFinder = (copy: EventStore): ((stored: StoredEvent) => Promise<ReadonlyArray<Subject>>) => {
  const all = Object.values(aggregates(copy)).map(
    ({ streamOf, about }) => [streamCategory(streamOf('')), about] as const,
  );
  const aboutIn = new Map(all);
  return async (stored) => {
    const { event } = orThrow(readEvent(stored));
    const about = aboutIn.get(streamCategory(stored.stream));
    return about === undefined ? [] : orThrow(await about(streamId(stored.stream), event)());
  };
};

/** Creates the data of a seal over the copy so far, in place of the source's seal: the hashes differ. */
const sealing = (copy: EventStore): ((data: JsonObject) => Promise<JsonObject>) => {
  const scan = createLogScan();
  let last: Position | null = null;
  return async (data) => {
    for await (const page of readLog(copy, {}, last))
      for (const event of orThrow(page)) {
        scan.take(event);
        last = event.position;
      }
    return { ...scan.seal(), at: data['at'] ?? null };
  };
};

export interface SealedCopying extends Omit<Copying, 'prepare' | 'comparable'> {
  /** The target in stored form, with personal data encrypted. */
  readonly stored: EventStore;
}

const preparer = ({ to, stored }: SealedCopying): ((event: StoredEvent) => Promise<NewEvent>) => {
  const subjectsIn = subjectFinder(to);
  const sealAnew = sealing(stored);
  return async (event) => {
    const { type, stream } = event;
    if (event.withheld !== undefined) throw new Error(`the key of ${stream} is missing: restore the keys first`);
    const copied = asItIs(event);
    const { data } = copied;
    switch (typeName(type)) {
      case 'LogSealed':
        return { ...copied, type: storedType('LogSealed'), data: await sealAnew(data) };
      case 'WriteClaimed':
        return { ...copied, data: { ...data, request_digest: 'not copied' } };
      case 'AnswerPieceKept':
      case 'WriteAnswered':
        return { ...copied, data: { ...data, text: '' } };
      default:
        return { ...copied, subjects: subjectsOf(type, stream, await subjectsIn(event)) };
    }
  };
};

const rewritten = ['LogSealed', 'WriteClaimed', 'AnswerPieceKept', 'WriteAnswered'];

/** An event without what differs in a sealed copy. */
const comparable = (event: StoredEvent): StoredEvent => {
  const type = typeName(event.type);
  const metadata = withoutHash(event.metadata);
  return { ...event, type, metadata, ...(rewritten.includes(type) ? { data: null } : {}) };
};

/**
 * Copies an unencrypted log into one with encrypted personal data, with the same ids, order and times, and compares the two.
 * Seals are created again over the copy. What repeats requests with idempotency keys is not copied: the digests of the
 * requests and the answers, which may contain personal data. Throws an error with the reason.
 */
export const sealCopy = async (copying: SealedCopying): ReturnType<typeof copyLog> => {
  const copied = await copyLog({ ...copying, prepare: preparer(copying), comparable });
  const [fault] = (await verifyLog(copying.stored)).faults;
  if (fault !== undefined) throw new Error(fault.message);
  return copied;
};
