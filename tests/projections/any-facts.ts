import * as fc from 'fast-check';
import {
  type Fields,
  pick,
  orNull,
  some,
  text,
  number,
  time,
  video_id,
  audio_id,
  run_id,
  account_id,
  key_id,
  status,
  mode,
  traits,
  chunks,
  attributes,
  change,
  speaker,
  match,
  block,
  booking,
  writeBack,
  fromVideo,
  owner,
  speakers,
  request,
  persons,
  tagKey,
  tagSource,
  category,
  tagValue,
  standing,
} from './any-values.js';
import { ofAccount, ofCreditAccount } from './any-account-facts.js';

const ownFaces = some(fc.record({ face_id: number, named_by: pick('person', 'analysis'), ...attributes }));

/** An event of any type with plausible data, and the category of its stream. */
export interface AnyFact {
  readonly stream: string;
  readonly type: string;
  readonly data: object;
}

const edit = <A>(values: fc.Arbitrary<A>) => orNull(fc.record({ before: values, after: values }));
const namedBy = pick('person', 'analysis', 'speaker');
const whoseChange = fc.record({
  face_id: number,
  before: fc.record(attributes),
  after: fc.record(attributes),
  named_by: edit(namedBy),
});
const details = { title: edit(orNull(text)), media_url: edit(orNull(text)) };
const ruled_out = some(
  fc.record({ speaker_id: number, face_id: orNull(number), before: fc.boolean(), after: fc.boolean() }),
);
const videoChanges = {
  ruled_out,
  ...details,
  faces: some(whoseChange),
  tags: some(fc.record({ key: tagKey, before: orNull(standing), after: orNull(standing) })),
};
const audioChanges = {
  title: edit(orNull(text)),
  speakers: some(
    fc.record({
      speaker_id: number,
      name: edit(fc.record({ name: orNull(text), named_by: namedBy })),
      role: edit(fc.record({ role: pick('agent', null), role_by: pick('person', 'analysis') })),
      deal_person_id: edit(orNull(text)),
    }),
  ),
};
const undone = {
  position: text,
  change_id: text,
  cause: request,
  changed_since: some(fc.record({ record: pick('face', 'speaker', 'tag'), id: number, fields: some(text) })),
  at: time,
};

const renumbering = {
  renumbered: fc.uniqueArray(fc.record({ from: number, to: number, seconds: fc.nat(100) }), {
    selector: ({ to }) => to,
    maxLength: 3,
  }),
  discontinued: some(number),
};
const videoAnalysis = {
  status,
  analysis_id: text,
  faces: fc.uniqueArray(fc.record({ face_id: number, ...attributes }), { selector: ({ face_id }) => face_id }),
  tracks: orNull(chunks),
  at: time,
};
const audioAnalysis = {
  status,
  analysis_id: text,
  speakers: fc.uniqueArray(speaker, { selector: ({ speaker_id }) => speaker_id }),
  turns: orNull(chunks),
  transcript: orNull(chunks),
  provider_supplied: fc.boolean(),
  speech_segments: orNull(text),
};

/* Version 1 where the type's name says no other. */

const ofVideo: Readonly<Record<string, Fields>> = {
  VideoDetailsChanged: { ...details, at: time },
  LinksDecided: { audio_id, changes: some(whoseChange), ruled_out, at: time },
  FaceUnmatched: { changes: some(whoseChange), at: time },
  VideoChangeReverted: { ...undone, ...videoChanges, run_id: orNull(run_id), audio: fc.constant(null) },
  VideoRegistered: { video_id, audio_id: orNull(audio_id), ...owner },
  AudioAssociated: { audio_id, deal_persons: persons, ...owner },
  AudioDissociated: { audio_id },
  AudioErased: { audio_id, status, analysis_id: orNull(text), tracks: fc.constant(null), faces: ownFaces, at: time },
  MediumErased: { medium: fc.constant('video'), owner_id: account_id, linked: orNull(audio_id), at: time },
  VideoAnalysisRecorded: videoAnalysis,
  'VideoAnalysisRecorded.v2': { ...videoAnalysis, ...renumbering },
  SpeakersRenumbered: { audio_id, audio_revision: number, ...renumbering, at: time },
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
  MediumErased: { medium: fc.constant('audio'), owner_id: account_id, linked: orNull(video_id), at: time },
  AudioDetailsChanged: { title: fc.record({ before: orNull(text), after: orNull(text) }), at: time },
  AudioChangeReverted: { ...undone, ...audioChanges, video: fc.constant(null) },
  AudioRegistered: { audio_id, video_id: orNull(video_id), deal_persons: persons, ...owner },
  AudioAttached: { video_id, ...owner },
  AudioDetached: { video_id },
  AudioAnalysisRecorded: audioAnalysis,
  'AudioAnalysisRecorded.v2': {
    ...audioAnalysis,
    keeps: fc.record({ turns: fc.boolean(), transcript: fc.boolean() }),
    ...renumbering,
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
    ...fromVideo,
    run_id,
    video_id,
    audio_id: orNull(audio_id),
    mode,
    target_speaker_ids: orNull(some(number)),
  },
  MatchRunSuggested: { ...fromVideo, ...booking, suggested: number },
  MatchRunCommitted: { ...fromVideo, ...booking, replaced: some(change), changes: some(change) },
  MatchRunFailureNoted: { ...fromVideo, ...booking, error: text, replaced: some(change) },
  MatchRunSuperseded: { ...fromVideo, by: run_id },
  MatchRunUndone: { ...fromVideo, changes: some(change) },
  LateWriteBackArrived: {
    reason: pick('run_superseded', 'run_ended', 'nothing_to_fail'),
    status: pick('completed', 'failed'),
    matches: some(match),
    error: orNull(text),
    at: time,
  },
};

/** The id in an event is that of its stream. */
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
        type: type.includes('.') ? type : `${type}.v1`,
        data: own in fields ? { ...data, [own]: id } : data,
      })),
    ),
  );

/** An event of any type, in a suitable stream. */
export const anyFact: fc.Arbitrary<AnyFact> = fc.oneof(
  facts('video', 'video_id', video_id, ofVideo),
  facts('audio', 'audio_id', audio_id, ofAudio),
  facts('matchRun', 'run_id', run_id, ofMatchRun),
  facts('account', 'account_id', account_id, ofAccount),
  facts('creditAccount', 'account_id', account_id, ofCreditAccount),
);

/** The types that `anyFact` knows. */
export const knownTypes: ReadonlyArray<string> = [
  ...new Set(
    [ofVideo, ofAudio, ofMatchRun, ofAccount, ofCreditAccount]
      .flatMap((types) => Object.keys(types))
      .map((type) => type.replace(/\..*/, '')),
  ),
];
