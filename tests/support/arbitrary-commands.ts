import * as fc from 'fast-check';
import type { AccessCommand } from '../../domain/access/contract.js';
import type { AudioCommand } from '../../domain/audio/contract.js';
import type { SpeakerId } from '../../domain/kernel/ids.js';
import type { Renumbering } from '../../domain/kernel/renumbering.js';
import type { MatchRunCommand, RecordAnswer } from '../../domain/match-run/contract.js';
import type { RegisterTagKey } from '../../domain/tag-registry/contract.js';
import type { VideoCommand, AudioFacts } from '../../domain/video/contract.js';
import {
  accountId,
  at,
  audioId,
  faceId,
  personName,
  runId,
  speakerId,
  videoId,
  tagKey,
  tagSource,
  registryEntry,
  keyId,
} from './values.js';
import { attributes, recordedMatch } from './video-events.js';

/** Commands of a type. */
const command = <Type extends string, Data extends object>(
  type: Type,
  data: { readonly [Name in keyof Data]: fc.Arbitrary<Data[Name]> },
): fc.Arbitrary<{ type: Type } & Data> => fc.record<Data>(data).map((rest) => ({ type, ...rest }));

const face = fc.nat(4).map(faceId);
const speaker = fc.nat(4).map(speakerId);
const text = fc.constantFrom('', ' ', 'Face 1', 'SPEAKER_01', 'Ann', 'ANN', 'Bob', '\u{1F600}');
const name = fc.option(text);
const person = fc.constantFrom('Ann', 'Bob', 'Face 2').map(personName);
const time = fc.integer({ min: 0, max: 4_000 }).map(at);
const run = fc.nat(6).map((n) => runId(`r${n}`));
/** JSON has no negative zero. */
const number = fc.double({ noNaN: true, noDefaultInfinity: true }).map((n) => n + 0);
const accuracy = fc.double({ min: 0, max: 1, noNaN: true }).map((n) => n + 0);
const status = fc.constantFrom('completed' as const, 'completed' as const, 'processing' as const, 'failed' as const);
const kind = fc.constantFrom('upload' as const, 'meeting' as const);
const audio_id = fc.constantFrom('a', 'b').map(audioId);
const owned = { owner_id: fc.constant(accountId('owner')), title: fc.option(fc.string()), kind };
const traits = fc.dictionary(fc.string(), number);

/** An id that another one takes is itself renumbered or discontinued: no two speakers become one. */
const renumberingOf = ({ renumbered, discontinued }: Renumbering<SpeakerId>): Renumbering<SpeakerId> => {
  const taken = new Map(renumbered.map((one) => [one.to, one]));
  const moving = new Set([...taken.values()].map(({ from }) => from));
  return {
    renumbered: [...taken.values()],
    discontinued: [...new Set([...discontinued, ...taken.keys()])].filter((id) => !moving.has(id)),
  };
};

const named_by = fc.constantFrom('person' as const, 'analysis' as const, 'speaker' as const);
const facts: fc.Arbitrary<AudioFacts> = fc.record({
  status,
  speakers: fc.uniqueArray(fc.record({ speaker_id: speaker, name, named_by, synthetic: fc.boolean() }), {
    selector: ({ speaker_id }) => speaker_id,
  }),
  renamed_at: fc.option(time),
  renumbered_at: fc.constantFrom(-1, 5),
});
const audio = fc.option(facts, { freq: 10 });
const match = fc.record({
  face_id: face,
  speaker_id: speaker,
  accuracy,
  channel: fc.constantFrom('name' as const, 'co_occurrence' as const),
  evidence: traits,
});
const answer = fc.oneof(
  fc.record({
    status: fc.constant('completed' as const),
    matches: fc.array(match, { maxLength: 3 }),
    unmatched_speakers: fc.array(fc.record({ speaker_id: speaker, reason: fc.string() }), { maxLength: 2 }),
  }),
  fc.record({ status: fc.constant('failed' as const), error: fc.string() }),
);
const values = fc
  .record({
    name,
    speaker_id: fc.option(speaker),
    accuracy: fc.option(accuracy),
    personality_traits: fc.option(traits),
  })
  .map(attributes);
const change = fc.record({
  face_id: face,
  before: values,
  after: values,
  named_by: fc.option(fc.record({ before: named_by, after: named_by })),
});
const mapping = fc.record({ face_id: face, speaker_id: speaker, name }, { requiredKeys: ['face_id', 'speaker_id'] });
const stale = { stale_seconds: fc.constantFrom(0, 900) };

const tag = fc.record({
  key: fc.constantFrom('vpm.a', 'vpm.b', 'label.c', 'user.d').map(tagKey),
  category: fc.constantFrom('provider' as const, 'survey' as const, 'label' as const, 'user' as const),
  value: fc.oneof(fc.string(), number, fc.boolean(), fc.array(fc.string(), { maxLength: 2 })),
});
const tags = fc.uniqueArray(tag, { selector: ({ key }) => key, minLength: 1, maxLength: 4 });
const tagsSource = fc.constantFrom('importer.one', 'importer.two', 'user.owner', 'user.other').map(tagSource);

/** Any command for a video: correctly typed, but otherwise arbitrary. */
export const videoCommand: fc.Arbitrary<VideoCommand> = fc.oneof(
  command('RegisterVideo', {
    video_id: fc.constant(videoId('v')),
    ...owned,
    media_url: fc.option(fc.string()),
    audio_id: fc.option(audio_id, { freq: 10 }),
  }),
  command('AssociateAudio', { audio_id, ...owned, deal_persons: fc.constant([]) }),
  command('DissociateAudio', { audio_id }),
  command('RecordVideoAnalysis', {
    status,
    analysis_id: fc.string(),
    faces: fc.array(
      fc.record({ face_id: face, name, personality_traits: fc.constantFrom(undefined, null, { calm: 1 }) }),
      { maxLength: 4 },
    ),
    tracks: fc.constantFrom(null, { first_revision: 0, parts: 2 }),
    alignment: fc.constant(null),
    at: time,
  }),
  command('RecordPersonalityTraits', { face_id: face, personality_traits: traits }),
  command('RenameFaces', { faces: fc.array(fc.record({ face_id: face, name: person }), { maxLength: 3 }), at: time }),
  command('FollowSpeakerNames', {
    audio_id,
    audio_revision: fc.nat(),
    speakers: fc.array(fc.record({ speaker_id: speaker, name: text, named_by, claimed: fc.boolean() }), {
      maxLength: 3,
    }),
    current: fc.boolean(),
    at: time,
  }),
  command('FollowRenumbering', {
    audio_id,
    audio_revision: fc.constantFrom(5, 9),
    renumbered: fc.uniqueArray(fc.record({ from: speaker, to: speaker, seconds: fc.nat() }), {
      selector: ({ from }) => from,
      maxLength: 3,
    }),
    discontinued: fc.array(speaker, { maxLength: 2 }),
    at: time,
  }).map((given) => ({ ...given, ...renumberingOf(given) })),
  command('WithdrawSpeaker', {
    audio_revision: fc.nat(10),
    speaker_id: speaker,
    name,
    merged_into: fc.option(fc.record({ speaker_id: speaker, name, named_by })),
    at: time,
  }),
  command('DecideLinks', {
    decisions: fc.array(
      fc.oneof(
        fc.record({
          speaker_id: speaker,
          face_id: fc.option(face, { freq: 4 }),
          verdict: fc.constant('confirmed' as const),
        }),
        fc.record({ speaker_id: speaker, face_id: face, verdict: fc.constant('rejected' as const) }),
      ),
      { maxLength: 3 },
    ),
    audio,
    at: time,
  }),
  command('UnmatchFace', { face_id: face, at: time }),
  command('ChangeVideoDetails', {
    title: fc.option(fc.string(), { nil: undefined }),
    media_url: fc.option(fc.string(), { nil: undefined }),
    at: time,
  }),
  command('MatchFaces', { mappings: fc.array(mapping, { maxLength: 4 }), audio, at: time }),
  command('QueueMatchRun', {
    run_id: run,
    mode: fc.constantFrom('suggest' as const, 'commit' as const),
    target_speaker_ids: fc.option(fc.array(speaker, { maxLength: 3 })),
    audio,
    ...stale,
    at: time,
  }),
  command('ReceiveWriteBack', {
    run_id: fc.option(run),
    unattributed_run_id: fc.constant(runId('unattributed')),
    answer,
    video_revision: fc.option(fc.nat(20)),
    audio,
    ...stale,
    at: time,
  }),
  command('RevertMatchRun', {
    run_id: run,
    changes: fc.array(change, { maxLength: 3 }),
    revision: fc.nat(20),
    audio,
    at: time,
  }),
  command('WriteTags', { source: tagsSource, tags, at: time }),
  command('RemoveTag', { key: tag.map(({ key }) => key), at: time }),
);

const video_id = fc.constantFrom('v', 'w').map(videoId);
const chunks = fc.constantFrom(null, { first_revision: 0, parts: 1 });
const role = fc.constantFrom(null, 'agent' as const, 'customer' as const);

export const audioCommand: fc.Arbitrary<AudioCommand> = fc.oneof(
  command('RegisterAudio', {
    audio_id: fc.constant(audioId('a')),
    ...owned,
    video_id: fc.option(video_id),
    deal_persons: fc.constant([]),
  }),
  command('AttachAudio', { video_id, ...owned, media_url: fc.constant(null) }),
  command('ChangeAudioDetails', { title: fc.option(fc.string(), { nil: undefined }), at: time }),
  command('DetachAudio', { video_id }),
  command('RecordAudioAnalysis', {
    status,
    analysis_id: fc.string(),
    speakers: fc.array(
      fc.record({ speaker_id: speaker, name, role: fc.option(role, { nil: undefined }), synthetic: fc.boolean() }),
      { maxLength: 4 },
    ),
    mentioned: fc.array(speaker, { maxLength: 1 }),
    turns: chunks,
    transcript: chunks,
    keeps_transcript: fc.boolean(),
    alignment: fc.constant(null),
    provider_supplied: fc.boolean(),
    speech_segments: fc.option(fc.string()),
  }),
  command('ReplaceTranscript', {
    transcript_id: fc.string(),
    transcript: fc.constant({ first_revision: 0, parts: 1 }),
  }),
  command('RenameSpeakers', {
    speakers: fc.array(fc.record({ speaker_id: speaker, name: person }), { maxLength: 3 }),
    at: time,
  }),
  command('FollowFaceMatch', {
    video_id,
    video_revision: fc.nat(),
    renumbered_at: fc.constant(-1),
    speakers: fc.array(fc.record({ speaker_id: speaker, name: person }), { maxLength: 3 }),
    at: time,
  }),
  command('SetSpeakerRoles', { speakers: fc.array(fc.record({ speaker_id: speaker, role }), { maxLength: 3 }) }),
  command('MergeSpeakers', { from: speaker, into: speaker, at: time }),
  command('DeleteSpeaker', { speaker_id: speaker, at: time }),
);

const key_id = fc.constantFrom('k', 'l').map(keyId);

export const accessCommand: fc.Arbitrary<AccessCommand> = fc.oneof(
  command('RenameAccount', { name: fc.option(fc.string()), at: time }),
  command('OpenAccount', { account_id: fc.constant(accountId('a')), name: fc.option(fc.string()), at: time }),
  command('IssueApiKey', {
    key_id,
    key_hash: fc.string(),
    label: fc.option(fc.string()),
    admin: fc.boolean(),
    permissions: fc.subarray(['MEDIA_WRITE' as const, 'WORKER' as const]),
    expires_at: fc.option(time),
    replace: fc.boolean(),
    made_by: fc.option(key_id),
    at: time,
  }),
  command('RevokeApiKey', { key_id, made_alone: fc.boolean(), at: time }),
  command('RetireEnvironmentKeys', { current: fc.option(key_id), at: time }),
);

const changes = fc.array(change, { maxLength: 3 });
const follows = { video_revision: fc.nat(9), at: time };
const ids = { run_id: fc.constant(runId('r')), video_id, audio_id: fc.constant(null) };
const booked = {
  ...follows,
  attribution: fc.constantFrom('own' as const, 'assumed' as const, 'unattributed' as const),
  candidate_run_ids: fc.constant([runId('r')]),
  late_write_suspected: fc.boolean(),
  late: fc.boolean(),
};
const runAnswer: fc.Arbitrary<RecordAnswer['answer']> = fc.oneof(
  command('MatchRunSuggested', { data: fc.record({ ...booked, suggested: fc.nat() }) }),
  command('MatchRunCommitted', { data: fc.record({ ...booked, replaced: changes, changes }) }),
  command('MatchRunFailureNoted', { data: fc.record({ ...booked, error: fc.string(), replaced: changes }) }),
);

export const matchRunCommand: fc.Arbitrary<MatchRunCommand> = fc.oneof(
  command('StartRun', {
    ...follows,
    ...ids,
    mode: fc.constantFrom('suggest' as const, 'commit' as const),
    target_speaker_ids: fc.option(fc.array(speaker)),
  }),
  command('RecordAnswer', { ...ids, answer: runAnswer }),
  command('SupersedeRun', { ...follows, by: fc.constant(runId('s')) }),
  command('RecordRevert', { video_id, ...follows, changes }),
  command('RecordLateWriteBack', {
    video_id,
    reason: fc.option(fc.constantFrom('run_ended' as const, 'nothing_to_fail' as const)),
    status: fc.constantFrom('completed' as const, 'failed' as const),
    matches: fc.constant([recordedMatch(1, 1)]),
    error: fc.option(fc.string()),
    at: time,
  }),
);

export const tagRegistryCommand: fc.Arbitrary<RegisterTagKey> = command('RegisterTagKey', {
  entry: fc
    .record({
      key: fc.constantFrom('vpm.*', 'vpm.a', 'a.b.*'),
      category: fc.constantFrom('provider' as const, 'user' as const),
      value_type: fc.constantFrom('string' as const, 'string_list' as const),
      description: fc.option(fc.string()),
    })
    .map(({ key, category, value_type, description }) => ({
      ...registryEntry(key, category, value_type),
      description,
    })),
  at: time,
});
