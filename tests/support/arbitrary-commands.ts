import * as fc from 'fast-check';
import type { AccessCommand } from '../../domain/access/contract.js';
import type { AudioCommand } from '../../domain/audio/contract.js';
import type { MatchRunCommand, RecordAnswer } from '../../domain/match-run/contract.js';
import type { RegisterTagKey } from '../../domain/tag-registry/contract.js';
import { change, command, kind, name, person, speaker, status, time } from './arbitrary-video-commands.js';
import { registryEntry, accountId, audioId, keyId, runId, videoId } from './values.js';
import { recordedMatch } from './video-events.js';

const video_id = fc.constantFrom('v', 'w').map(videoId);
const owned = { owner_id: fc.constant(accountId('owner')), title: fc.option(fc.string()), kind };
const chunks = fc.constantFrom(null, { first_revision: 0, parts: 1 });
const role = fc.constantFrom(null, 'agent' as const, 'customer' as const);
const at = time;

export const audioCommand: fc.Arbitrary<AudioCommand> = fc.oneof(
  command('RegisterAudio', {
    audio_id: fc.constant(audioId('a')),
    ...owned,
    video_id: fc.option(video_id),
    deal_persons: fc.constant([]),
  }),
  command('AttachAudio', { video_id, ...owned, media_url: fc.constant(null) }),
  command('ChangeAudioDetails', { title: fc.option(fc.string(), { nil: undefined }), at }),
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
    at,
  }),
  command('FollowFaceMatch', {
    video_id,
    video_revision: fc.nat(),
    renumbered_at: fc.constant(-1),
    speakers: fc.array(fc.record({ speaker_id: speaker, name: person }), { maxLength: 3 }),
    at,
  }),
  command('SetSpeakerRoles', { speakers: fc.array(fc.record({ speaker_id: speaker, role }), { maxLength: 3 }) }),
  command('MergeSpeakers', { from: speaker, into: speaker, at }),
  command('DeleteSpeaker', { speaker_id: speaker, at }),
);

const key_id = fc.constantFrom('k', 'l').map(keyId);

export const accessCommand: fc.Arbitrary<AccessCommand> = fc.oneof(
  command('RenameAccount', { name: fc.option(fc.string()), at }),
  command('OpenAccount', { account_id: fc.constant(accountId('a')), name: fc.option(fc.string()), at }),
  command('IssueApiKey', {
    key_id,
    key_hash: fc.string(),
    label: fc.option(fc.string()),
    admin: fc.boolean(),
    permissions: fc.subarray(['MEDIA_WRITE' as const, 'WORKER' as const]),
    expires_at: fc.option(at),
    replace: fc.boolean(),
    made_by: fc.option(key_id),
    at,
  }),
  command('RevokeApiKey', { key_id, made_alone: fc.boolean(), at }),
  command('RetireEnvironmentKeys', { current: fc.option(key_id), at }),
);

const changes = fc.array(change, { maxLength: 3 });
const follows = { video_revision: fc.nat(9), at };
const ids = { run_id: fc.constant(runId('r')), video_id, audio_id: fc.constant(null) };
const booked = {
  ...follows,
  attribution: fc.constantFrom('own' as const, 'assumed' as const, 'unattributed' as const),
  candidate_run_ids: fc.constant([runId('r')]),
  late_write_suspected: fc.boolean(),
  late: fc.boolean(),
};
const answer: fc.Arbitrary<RecordAnswer['answer']> = fc.oneof(
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
  command('RecordAnswer', { ...ids, answer }),
  command('SupersedeRun', { ...follows, by: fc.constant(runId('s')) }),
  command('RecordRevert', { video_id, ...follows, changes }),
  command('RecordLateWriteBack', {
    video_id,
    reason: fc.option(fc.constantFrom('run_ended' as const, 'nothing_to_fail' as const)),
    status: fc.constantFrom('completed' as const, 'failed' as const),
    matches: fc.constant([recordedMatch(1, 1)]),
    error: fc.option(fc.string()),
    at,
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
  at,
});
