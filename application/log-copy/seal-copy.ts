import * as E from 'fp-ts/lib/Either.js';
import { storedType } from '../../domain/event-catalogue.js';
import { JsonObject } from '../../domain/kernel/json.js';
import type { Position } from '../../domain/kernel/recorded-event.js';
import type { Subject } from '../../domain/kernel/stream-name.js';
import { isPersonal } from '../../domain/personal-data.js';
import { typeName } from '../../projections/event-selection.js';
import { createLogScan } from '../../projections/audit/scan-log.js';
import { reasonOf } from '../failures.js';
import { readLog } from '../audit/read-log.js';
import { sealStream } from '../audit/stored-seals.js';
import { verifyLog } from '../audit/verify-log.js';
import { type Answer, type Copied, type Copying, anotherLog, copyLog } from './copy-log.js';
import type { EventStore, NewEvent, StoredEvent } from '../ports/event-store.js';
import type { PersonalKeys } from '../ports/personal-keys.js';
import { subjectFinder } from './subjects-of-events.js';

export interface SealedCopying extends Omit<Copying, 'prepare' | 'comparable'> {
  /** The target in stored form, with personal data encrypted. */
  readonly stored: EventStore;
  /** The source in stored form: events of it may be encrypted already, and some of these erased. */
  readonly storedSource: Pick<EventStore, 'read'>;
  readonly keys: Pick<PersonalKeys, 'digest'>;
  /** The subjects with whose keys stored data is encrypted; null if it is not. */
  readonly sealedFor: (data: unknown) => ReadonlyArray<Subject> | null;
}

type Prepared = Answer<NewEvent>;

const sealType = storedType('LogSealed');
const isSeal = ({ type }: StoredEvent): boolean => typeName(type) === 'LogSealed';
const isClaim = ({ type }: StoredEvent): boolean => typeName(type) === 'WriteClaimed';

/** Creates a seal over the target so far, in place of the source's seal: the hashes differ. */
const sealing = (stored: EventStore) => {
  const scan = createLogScan();
  let last: Position | null = null;
  return async (data: JsonObject): Promise<Answer<JsonObject>> => {
    for await (const page of readLog(stored, {}, last)) {
      if (E.isLeft(page)) return page;
      page.right.forEach(scan.take);
      last = page.right.at(-1)?.position ?? last;
    }
    const sealed = scan.seal();
    return sealed === null
      ? anotherLog(`its first event is in ${sealStream}`)
      : E.right({ ...sealed, at: data['at'] ?? null });
  };
};

const preparer = ({ from, storedSource, stored, keys, sealedFor }: SealedCopying) => {
  const whose = subjectFinder(from);
  const sealAnew = sealing(stored);
  return async (event: StoredEvent): Promise<Prepared> => {
    const { id, type, data, metadata, stream } = event;
    if (!JsonObject.is(data) || !JsonObject.is(metadata)) return anotherLog(`an event of ${stream} is no JSON object`);
    if (isSeal(event))
      return E.map((sealed: JsonObject): NewEvent => ({ id, type: sealType, data: sealed, metadata }))(
        await sealAnew(data),
      );
    if (isClaim(event)) {
      const { request_digest } = data;
      if (typeof request_digest !== 'string') return anotherLog(`an event of ${stream} has no digest`);
      const digest = await keys.digest(null, request_digest)();
      if (E.isRight(digest)) return E.right({ id, type, data: { ...data, request_digest: digest.right }, metadata });
      return E.left({ _tag: 'StoreUnavailable', reason: reasonOf(digest.left) });
    }
    if (event.withheld === 'key_missing')
      return E.left({ _tag: 'StoreUnavailable', reason: `the key of ${stream} is missing: restore the keys first` });
    const read = await storedSource.read(stream, event.revision - 1, 1)();
    if (E.isLeft(read)) return read;
    const [original] = read.right;
    // What was erased stays as it is stored: nobody has its key.
    if (event.withheld === 'erased' && JsonObject.is(original?.data))
      return E.right({ id, type, data: original.data, metadata });
    const known = sealedFor(original?.data);
    const subjects = known === null ? await whose(event) : E.right(known);
    if (E.isRight(subjects)) return E.right({ id, type, data, metadata, subjects: subjects.right });
    return anotherLog(`an event of ${stream} cannot be read: ${subjects.left._tag}`);
  };
};

/** An event without what differs in a sealed copy: hashes, the content of seals, and digests. */
const comparable = (event: StoredEvent): StoredEvent => {
  const { data, metadata } = event;
  const { hash: _hash, ...plain } = JsonObject.is(metadata) ? metadata : {};
  if (isSeal(event)) return { ...event, type: sealType, data: null, metadata: plain };
  return isClaim(event) && JsonObject.is(data)
    ? { ...event, data: { ...data, request_digest: null }, metadata: plain }
    : { ...event, metadata: plain };
};

/** The first fault in a sealed log; null if there is none. */
const faultIn = async ({ stored, sealedFor }: SealedCopying): Promise<Answer<string | null>> => {
  const [fault] = (await verifyLog(stored)).faults;
  if (fault !== undefined) return E.right(fault.message);
  for await (const page of readLog(stored)) {
    if (E.isLeft(page)) return page;
    const clear = page.right.find(({ type, data }) => isPersonal(type) && sealedFor(data) === null);
    if (clear !== undefined) return E.right(`revision ${clear.revision} of ${clear.stream} is not sealed`);
  }
  return E.right(null);
};

/**
 * Copies an unencrypted log into one with encrypted personal data, with the same ids, order and times, and compares the two.
 * Seals are created again over the copy. The digests of requests with idempotency keys are replaced by keyed digests.
 */
export const sealCopy = async (copying: SealedCopying): Promise<Answer<Copied>> => {
  const copied = await copyLog({ ...copying, prepare: preparer(copying), comparable });
  if (E.isLeft(copied)) return copied;
  const fault = await faultIn(copying);
  if (E.isLeft(fault)) return fault;
  return fault.right === null ? copied : anotherLog(fault.right);
};
