import * as fc from 'fast-check';
import { eventsByCategory, storedType } from '../../domain/event-catalogue.js';
import { projections } from '../../projections/projections.js';
import { arbitraryOf } from '../fuzz/codec-arbitrary.js';
import { at } from '../support/values.js';

/** An event of any type with plausible data, and its stream. */
export interface AnyFact {
  readonly stream: string;
  readonly type: string;
  readonly data: object;
}

const pick = <A>(...values: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...values);

const text = fc.oneof(
  pick('Ada', "O'Brien", '"; DROP', 'Bo \u0000 \u2028', '人'),
  fc.string({ unit: 'binary', maxLength: 30 }),
);
const number = fc.nat(3);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);

const video_id = pick('v0', 'v1', 'v2');
const audio_id = pick('a0', 'a1');
const run_id = pick('r0', 'r1', 'r2');
const account_id = pick('o0', 'o1');
const session_id = pick('s0', 's1');

/** Few ids, so that events are about the same things. */
const values = {
  string: text,
  number,
  Finite: number,
  Accuracy: share,
  Timestamp: fc.nat(5_000).map(at),
  JsonObject: fc.dictionary(text, fc.oneof(text, share, fc.constant(null)), { maxKeys: 2 }),
  VideoId: video_id,
  AudioId: audio_id,
  FaceId: number,
  SpeakerId: number,
  RunId: run_id,
  ChargeId: run_id,
  AccountId: account_id,
  KeyId: pick('k0', 'k1', 'k2'),
  SessionId: session_id,
  InstanceId: pick('i'),
  TagKey: pick('vpm.a', 'label.b', 'user.c.d', 'survey.e'),
  TagSource: pick('importer.vpm', 'user.o0'),
  CreditsText: pick('0', '0.000001', '7.5', '1000'),
  PeriodSeconds: pick(1, 3_600),
  RetentionDays: pick(1, 36_500),
};

/** The ids of the streams that projections read, and the field of their events with the same id. */
const streams: Readonly<Record<string, readonly [field: string, ids: fc.Arbitrary<string>]>> = {
  video: ['video_id', video_id],
  audio: ['audio_id', audio_id],
  matchRun: ['run_id', run_id],
  nameInference: ['run_id', run_id],
  account: ['account_id', account_id],
  creditAccount: ['account_id', account_id],
  realtimeSession: ['session_id', session_id],
};

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

const factsIn = (category: string) => {
  const [field, ids] = streams[category] ?? ['id', fc.constant('none')];
  return Object.entries(eventsByCategory[category] ?? {}).map(([type, codec]) => ({
    // Most events change only what is registered.
    weight: type.endsWith('Registered') ? 5 : 1,
    arbitrary: fc
      .record({ id: ids, data: arbitraryOf(codec, values).filter(isObject) })
      .map(({ id, data }): AnyFact => ({
        stream: `${category}-${id}`,
        type: storedType(type),
        data: field in data ? { ...data, [field]: id } : data,
      })),
  }));
};

/** An event of any type that projections read, in a suitable stream. */
export const anyFact: fc.Arbitrary<AnyFact> = fc.oneof(
  ...[...new Set(projections.flatMap(({ categories }) => categories))].flatMap(factsIn),
);
