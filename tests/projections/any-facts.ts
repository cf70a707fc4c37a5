import * as fc from 'fast-check';
import { at } from './given.js';

/** An event of any type with plausible data, and the category of its stream. */
export interface AnyFact {
  readonly stream: string;
  readonly type: string;
  readonly data: object;
}

const pick = <A>(...values: ReadonlyArray<A>): fc.Arbitrary<A> => fc.constantFrom(...values);
const orNull = <A>(values: fc.Arbitrary<A>): fc.Arbitrary<A | null> => fc.option(values, { nil: null });
const some = <A>(values: fc.Arbitrary<A>): fc.Arbitrary<A[]> => fc.array(values, { maxLength: 3 });

const text = fc.oneof(pick('Ada', "O'Brien", '"; DROP', 'Bo \u0000 \u2028', '人'), fc.string({ unit: 'binary' }));
const number = fc.nat(3);
const share = fc.double({ min: 0, max: 1, noNaN: true }).map((value) => value + 0);
const time = fc.nat(5_000).map(at);
const video_id = pick('v0', 'v1', 'v2');
const audio_id = pick('a0', 'a1');
const run_id = pick('r0', 'r1', 'r2');
const account_id = pick('o0', 'o1');
const key_id = pick('k0', 'k1', 'k2');
const kind = pick('upload', 'meeting');
const status = pick('queue', 'processing', 'completed', 'failed');
const mode = pick('suggest', 'commit');
const traits = fc.dictionary(text, fc.oneof(text, share, fc.constant(null)), { maxKeys: 2 });
const chunks = fc.record({ first_revision: number, parts: number });
const attributes = {
  name: orNull(text),
  speaker_id: orNull(number),
  accuracy: orNull(share),
  personality_traits: orNull(traits),
};
const change = fc.record({ face_id: number, before: fc.record(attributes), after: fc.record(attributes) });
const speaker = fc.record({
  speaker_id: number,
  name: orNull(text),
  role: pick('agent', null),
  synthetic: fc.boolean(),
  deal_person_id: orNull(text),
});
const match = fc.record({ face_id: number, speaker_id: number, accuracy: share });
const block = fc.record({
  run_id,
  generated_at: time,
  mappings: some(
    fc.record({
      face_id: number,
      speaker_id: number,
      name: orNull(text),
      accuracy: share,
      channel: pick('name', 'co_occurrence'),
      evidence: traits,
    }),
  ),
  unmatched_speakers: some(
    fc.record(
      {
        speaker_id: number,
        reason: text,
        candidates: some(fc.record({ face_id: number, accuracy: share, matched_speaker_id: fc.option(number) })),
      },
      { requiredKeys: ['speaker_id', 'reason'] },
    ),
  ),
  unmatched_faces: some(number),
});
const booking = {
  attribution: pick('own', 'assumed', 'unattributed', 'name_channel'),
  candidate_run_ids: some(run_id),
  late_write_suspected: fc.boolean(),
  late: fc.boolean(),
  at: time,
};
const writeBack = { run_id, audio_id: orNull(audio_id), ...booking };
const told = { video_revision: number, at: time };
const owner = { owner_id: account_id, title: orNull(text), kind };
const speakers = { speakers: some(fc.record({ speaker_id: number, name: text, previous_name: orNull(text) })) };
const request = fc.constant({ kind: 'request' });
const persons = some(fc.record({ person_id: text, name: text }));

type Fields = Readonly<Record<string, fc.Arbitrary<unknown>>>;

const tagKey = pick('vpm.a', 'label.b', 'user.c.d', 'survey.e');
const tagSource = pick('importer.vpm', 'user.o0');
const category = pick('provider', 'label', 'user');
const tagValue = fc.oneof(text, share, fc.boolean(), some(text));
const standing = fc.record({ value: tagValue, category, source: tagSource });

const ofVideo: Readonly<Record<string, Fields>> = {
  VideoRegistered: { video_id, audio_id: orNull(audio_id), ...owner },
  AudioAssociated: { audio_id, deal_persons: persons, ...owner },
  AudioDissociated: { audio_id },
  VideoAnalysisRecorded: {
    status,
    analysis_id: text,
    faces: fc.uniqueArray(fc.record({ face_id: number, ...attributes }), { selector: ({ face_id }) => face_id }),
    tracks: orNull(chunks),
    at: time,
  },
  PersonalityTraitsRecorded: { face_id: number, personality_traits: traits },
  FacesRenamed: {
    faces: some(fc.record({ face_id: number, name: text, previous_name: orNull(text) })),
    cause: request,
    at: time,
  },
  FacesMatched: { audio_id, changes: some(change), ...speakers, at: time },
  SpeakerWithdrawn: { speaker_id: number, merged_into: orNull(number), changes: some(change), at: time },
  MatchRunQueued: {
    run_id,
    audio_id,
    mode,
    target_speaker_ids: orNull(some(number)),
    at: time,
    supersedes: some(run_id),
  },
  SuggestionsStored: { ...writeBack, block },
  MatchesCommitted: { ...writeBack, matches: some(match), replaced: some(change), changes: some(change) },
  MatchRunFailed: { ...writeBack, mode, error: text, replaced: some(change), withdraws_block: fc.boolean() },
  TagsWritten: {
    source: tagSource,
    tags: fc.uniqueArray(fc.record({ key: tagKey, category, value: tagValue, previous: orNull(standing) }), {
      selector: ({ key }) => key,
      maxLength: 3,
    }),
    at: time,
  },
  TagRemoved: { key: tagKey, previous: standing, at: time },
  MatchRunReverted: { run_id, changes: some(change), changed_since: some(number), at: time },
};

const ofAudio: Readonly<Record<string, Fields>> = {
  AudioRegistered: { audio_id, video_id: orNull(video_id), deal_persons: persons, ...owner },
  AudioAttached: { video_id, ...owner },
  AudioDetached: { video_id },
  AudioAnalysisRecorded: {
    status,
    analysis_id: text,
    speakers: fc.uniqueArray(speaker, { selector: ({ speaker_id }) => speaker_id }),
    turns: orNull(chunks),
    transcript: orNull(chunks),
    provider_supplied: fc.boolean(),
    speech_segments: orNull(text),
  },
  TranscriptReplaced: { transcript_id: text, transcript: chunks },
  SpeakersRenamed: { ...speakers, cause: request, at: time },
  NamesInferred: {
    run_id,
    by: key_id,
    at: time,
    target_speaker_ids: some(number),
    results: some(
      fc.record(
        { speaker_id: number, video_id: orNull(video_id), name: text, role: pick('agent', 'customer') },
        { requiredKeys: ['speaker_id', 'video_id'] },
      ),
    ),
    renamed: some(
      fc.record({
        speaker_id: number,
        name: text,
        previous_name: orNull(text),
        deal_person_id: orNull(text),
        previous_deal_person_id: orNull(text),
      }),
    ),
    roles: some(fc.record({ speaker_id: number, role: pick('agent', 'customer') })),
  },
  SpeakerRolesSet: {
    speakers: some(fc.record({ speaker_id: number, role: pick('customer', null), previous_role: pick('agent', null) })),
  },
  SpeakersMerged: { from: number, into: number, removed: speaker, at: time },
  SpeakerDeleted: { removed: speaker, at: time },
};

const ofMatchRun: Readonly<Record<string, Fields>> = {
  MatchRunStarted: {
    ...told,
    run_id,
    video_id,
    audio_id: orNull(audio_id),
    mode,
    target_speaker_ids: orNull(some(number)),
  },
  MatchRunSuggested: { ...told, ...booking, suggested: number },
  MatchRunCommitted: { ...told, ...booking, replaced: some(change), changes: some(change) },
  MatchRunFailureNoted: { ...told, ...booking, error: text, replaced: some(change) },
  MatchRunSuperseded: { ...told, by: run_id },
  MatchRunUndone: { ...told, changes: some(change) },
  LateWriteBackArrived: {
    reason: pick('run_superseded', 'run_ended', 'nothing_to_fail'),
    status: pick('completed', 'failed'),
    matches: some(match),
    error: orNull(text),
    at: time,
  },
};

const ofAccount: Readonly<Record<string, Fields>> = {
  AccountOpened: { account_id, name: orNull(text), at: time },
  ApiKeyIssued: {
    key_id,
    account_id,
    key_hash: key_id.map((id) => `'hash' of \0 ${id}`),
    label: orNull(text),
    admin: fc.boolean(),
    permissions: some(pick('MEDIA_WRITE', 'WORKER')),
    at: time,
  },
  ApiKeyRevoked: { key_id, at: time },
};

const credits = pick('0', '0.000001', '7.5', '1000');
const booked = { amount: credits, balance_after: credits, reason: text, at: time };
const ofCreditAccount: Readonly<Record<string, Fields>> = {
  CreditsGranted: booked,
  CreditsCorrected: booked,
  CreditsCharged: {
    ...booked,
    charge_id: run_id,
    run_id: orNull(run_id),
    session_id: fc.constant(null),
    audio_id: orNull(audio_id),
  },
  CreditsHeld: { hold_id: run_id, amount: credits, lapses_at: time, run_id, session_id: fc.constant(null), at: time },
  HoldReleased: { hold_id: run_id, at: time },
  SpendingWindowSet: { limit: credits, period_seconds: fc.integer({ min: 1, max: 3_600 }), at: time },
  SpendingWindowCleared: { at: time },
};

/** The id that an event is about stays the stream's. */
const facts = (
  category: string,
  own: string,
  ids: fc.Arbitrary<string>,
  types: Readonly<Record<string, Fields>>,
): fc.Arbitrary<AnyFact> =>
  fc.oneof(
    ...Object.entries(types).map(([type, fields]) =>
      fc.record({ id: ids, data: fc.record(fields) }).map(({ id, data }) => ({
        stream: `${category}-${id}`,
        type: `${type}.v1`,
        data: own in fields ? { ...data, [own]: id } : data,
      })),
    ),
  );

/** An event of any type, in a stream that it may be in. */
export const anyFact: fc.Arbitrary<AnyFact> = fc.oneof(
  facts('video', 'video_id', video_id, ofVideo),
  facts('audio', 'audio_id', audio_id, ofAudio),
  facts('matchRun', 'run_id', run_id, ofMatchRun),
  facts('account', 'account_id', account_id, ofAccount),
  facts('creditAccount', 'account_id', account_id, ofCreditAccount),
);

/** The types that `anyFact` knows. */
export const knownTypes: ReadonlyArray<string> = [ofVideo, ofAudio, ofMatchRun, ofAccount, ofCreditAccount].flatMap(
  Object.keys,
);
