import * as TE from 'fp-ts/lib/TaskEither.js';
import { commandContext } from '../../application/commands/context.js';
import { aggregate } from '../../application/commands/handle-command.js';
import { inferNames } from '../../application/name-inference/infer-names.js';
import type { NameModel } from '../../application/ports/name-model.js';
import {
  issueKey,
  openAccount,
  renameAccount,
  revokeKey,
  setRetention,
} from '../../application/use-cases/access/manage-access.js';
import { changeAudio, renameSpeakers } from '../../application/use-cases/audios/change-audio.js';
import { bookCredits, setSpendingWindow } from '../../application/use-cases/credits/credits.js';
import { eraseAudio, eraseVideo } from '../../application/use-cases/erasure/erase.js';
import { queueMatchRun, receiveWriteBack, revertMatchRun } from '../../application/use-cases/match-runs/match-runs.js';
import { registerTagKey, type WantedTags, writeTags } from '../../application/use-cases/tags/write-tags.js';
import { revertAudioChange, revertVideoChange } from '../../application/use-cases/undo/revert-change.js';
import { changeVideo, decideLinks, matchFaces } from '../../application/use-cases/videos/change-video.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { auditSeal, auditSealEvents } from '../../domain/audit-seal/contract.js';
import type { EndWrite } from '../../domain/idempotency-key/contract.js';
import type { RunId } from '../../domain/kernel/ids.js';
import { isEventOf } from '../../domain/kernel/recorded-event.js';
import type { RealtimeCapacityCommand } from '../../domain/realtime-capacity/contract.js';
import type { RealtimeSessionCommand } from '../../domain/realtime-session/contract.js';
import type { WorkerAnswer } from '../../domain/video/write-back.js';
import { sha256 } from '../../projections/audit/event-hash.js';
import { audio, audioState, video } from './application/media.js';
import { inferenceBy } from './application/naming.js';
import { foundSpeakers, recordAudioAnalysis, recordVideoAnalysis, replaceTranscript } from './application/record.js';
import type { World } from './application/world.js';
import { period } from './credit-events.js';
import { chargeRun } from './credit-world.js';
import { credits } from './credits.js';
import { failed, succeeded } from './event-store/outcomes.js';
import { creation, takeSlot } from './realtime-events.js';
import { registryEntry, tagKey } from './tags.js';
import { accountId, at, audioId, faceId, instanceId, personName, speakerId, videoId } from './values.js';
import { proposed } from './video-events.js';

const said = 'Good morning, my name is Ann Example, how can I help you?';

const answers: NameModel['infer'] = () =>
  TE.right({
    proposals: [
      {
        speaker_id: speakerId(1),
        name: 'Ann Example',
        quote: 'my name is Ann Example',
        pattern: 'self_introduction',
        role: 'agent',
        role_quote: 'how can I help you',
      },
    ],
    total_tokens: 11,
  });
const fails: NameModel['infer'] = () => TE.left({ _tag: 'NameModelFailed', reason: 'no answer within 60 s' });

const paid = { tokens: 11, per_1k_tokens: '0.1' };

/** A committing inference with a key that answers, and one that fails. */
const recordInferences = async (place: World): Promise<void> => {
  const { app, request, pass } = place;
  const call = audioId('call');
  const deal_persons = [{ person_id: 'p9', name: 'Ann Example' }];
  await succeeded(registerAudio(app, request(), { ...audio('call'), deal_persons }));
  const at = { start: 0, end: 4 };
  const turns = [{ speaker_id: speakerId(1), ...at }];
  const transcript = turns.map((turn) => ({ ...turn, text: said }));
  const analysis = foundSpeakers(
    [
      [1, null],
      [2, null],
    ],
    { turns, transcript },
  );
  await succeeded(recordAudioAnalysis(app, request(), call, analysis));
  await succeeded(bookCredits(app, request(), accountId('owner'), credits('5'), 'top-up'));
  pass(1);
  const nameRequest = {
    audio: await audioState(place, 'call'),
    mode: 'commit' as const,
    target_speaker_ids: [speakerId(1), speakerId(2)],
    infer_roles: true,
    max_credits: null,
  };
  await succeeded(inferNames(app, inferenceBy('recorded', answers, paid), request(), nameRequest));
  await failed(inferNames(app, inferenceBy('recorded', fails, paid), request(), nameRequest));
};

/** An audio is erased, and then the video that it belonged to. */
const recordErasures = async ({ app, request }: World): Promise<void> => {
  await succeeded(registerVideo(app, request(), video('gone')));
  await succeeded(registerAudio(app, request(), audio('gone', 'gone')));
  await succeeded(eraseAudio(app, request(), audioId('gone')));
  await succeeded(eraseVideo(app, request(), videoId('gone')));
  await succeeded(setRetention(app, request(), accountId('owner'), 30));
};

const isSeal = isEventOf(auditSealEvents);

/** A seal with arbitrary content. */
const recordSeal = async ({ app, request }: World): Promise<void> => {
  const sealed = {
    position: '0000000000000002',
    events: 2,
    streams: 1,
    merkle_root: sha256('root'),
    order_hash: sha256('order'),
    covers: 'events' as const,
    blocks: { size: 1, hashes: [sha256('first'), sha256('order')] },
  };
  const seals = aggregate(app.store, auditSeal, isSeal);
  const command = { type: 'SealLog' as const, sealed, at: request().at };
  await succeeded(seals.handle('log', command, commandContext(app.ids, request())));
};

/** A key that is registered and changed, tags that are imported twice, and a user's tag that is removed. */
const recordTags = async ({ app, request, pass }: World): Promise<void> => {
  const tagged = videoId('tagged');
  await succeeded(registerVideo(app, request(), video('tagged')));
  await succeeded(registerTagKey(app, request(), registryEntry('survey.likes', 'survey', 'number')));
  await succeeded(registerTagKey(app, request(), registryEntry('survey.likes', 'survey', 'string_list')));
  const write = (parts: Pick<WantedTags, 'by' | 'source' | 'tags'>) =>
    succeeded(writeTags(app, request(), tagged, { dry_run: false, ...parts }));
  const imported = { by: 'importer', source: 'importer.panel' } as const;
  await write({ ...imported, tags: [{ key: 'survey.likes', value: ['tea', 'Müsli'] }] });
  pass(1);
  await write({
    ...imported,
    tags: [
      { key: 'survey.likes', value: ['tea'] },
      { key: 'demo.age', value: '30-39' },
    ],
  });
  await write({ by: 'user', source: 'user.owner', tags: [{ key: 'label.todo', value: 'check' }] });
  pass(1);
  const at = request().at;
  await succeeded(changeVideo(app, request(), tagged, { type: 'RemoveTag', key: tagKey('label.todo'), at }));
};

/** A write with an idempotency key that is answered, in two pieces, and one that is released. */
const recordKeyedWrites = async ({ app, request }: World): Promise<void> => {
  const handle = (id: string, command: Parameters<typeof app.idempotencyKeys.handle>[1]) =>
    succeeded(app.idempotencyKeys.handle(id, command, commandContext(app.ids, request())));
  const process_id = 'process';
  const worker = { instance_id: instanceId('instance'), process_id };
  const claim = (write_id: string) => ({
    type: 'ClaimWrite' as const,
    account_id: accountId('owner'),
    write_id,
    request_digest: 'digest',
    ...worker,
    at: request().at,
  });
  await handle('answered', claim('w1'));
  const end = (key: string, ending: EndWrite['ending']) => handle(key, { type: 'EndWrite', process_id, ending });
  await end('answered', { type: 'AnswerPieceKept', data: { write_id: 'w1', text: '{"name":"Zo' } });
  const answer = { write_id: 'w1', text: 'ë"}', headers: { ETag: '"1"' }, secret_of: null };
  await end('answered', { type: 'WriteAnswered', data: { ...answer, at: request().at } });
  await handle('released', claim('w2'));
  await end('released', { type: 'WriteReleased', data: { write_id: 'w2', may_be_written: true, at: request().at } });
};

/** A session that runs, is charged and ends, one whose slot expires, and one that is erased. */
const recordRealtime = async ({ app, request, pass, now }: World): Promise<void> => {
  const context = () => commandContext(app.ids, request());
  const session = (id: string, command: RealtimeSessionCommand) =>
    succeeded(app.perform(request(), 'realtimeSessions', id, command, context()));
  const capacity = (command: RealtimeCapacityCommand) =>
    succeeded(app.perform(request(), 'realtimeCapacities', 'all', command, context()));
  await capacity(takeSlot('s1', { capacity: 2, seconds: now() }));
  await session('s1', creation('s1', { seconds: now() }));
  const token = { token_hash: 'another hash', token_expires_at: at(now() + 900), at: at(now()) };
  await session('s1', { type: 'IssueToken', ...token });
  await session('s1', { type: 'RecordNegotiation', at: at(now()) });
  await session('s1', { type: 'RecordMedia', state: 'connected', at: at(now()) });
  pass(10);
  await session('s1', { type: 'MeterSession', at: at(now()) });
  await session('s1', { type: 'RecordMedia', state: 'failed', at: at(now()) });
  pass(2.5);
  await session('s1', { type: 'EndSession', reason: 'requested', used_until: at(now()), at: at(now()) });
  await capacity(takeSlot('s2', { capacity: 1, seconds: now(), lapses: now() + 60 }));
  await session('s2', creation('s2', { seconds: now() }));
  pass(60);
  await capacity(takeSlot('s3', { capacity: 1, seconds: now() }));
  await session('s4', creation('s4', { seconds: now() }));
  await session('s4', { type: 'EndSession', reason: 'requested', used_until: null, at: at(now()) });
  await session('s4', { type: 'EraseSession', at: at(now()) });
};

const [v, a] = [videoId('v'), audioId('a')];
const found = (...pairs: ReadonlyArray<readonly [number, number]>): WorkerAnswer => ({
  status: 'completed',
  matches: pairs.map(([face, speaker]) => proposed(face, speaker)),
  unmatched_speakers: [{ speaker_id: speakerId(2), reason: 'no_overlap' }],
});
const broken: WorkerAnswer = { status: 'failed', error: 'out of memory' };

const register = async ({ app, request }: World): Promise<void> => {
  await succeeded(openAccount(app, request(), accountId('owner'), 'Owner'));
  const rights = { label: 'worker', admin: false, permissions: ['WORKER' as const], expires_in_seconds: 3_600 };
  const { key_id } = await succeeded(issueKey(app, request(), accountId('owner'), rights));
  await succeeded(revokeKey(app, request(), accountId('owner'), key_id));
  await succeeded(registerVideo(app, request(), video('v')));
  const deal_persons = [{ person_id: 'p', name: 'Ann' }];
  await succeeded(registerAudio(app, request(), { ...audio('a', 'v'), deal_persons }));
  await succeeded(registerAudio(app, request(), audio('b')));
  await succeeded(registerVideo(app, request(), video('w', 'b')));
  const detach = { type: 'DetachAudio' as const, video_id: videoId('w') };
  await succeeded(app.audios.handle('b', detach, commandContext(app.ids, request())));
  const dissociate = { type: 'DissociateAudio' as const, audio_id: audioId('b') };
  await succeeded(app.videos.handle('w', dissociate, commandContext(app.ids, request())));
};

const analyse = async ({ app, request }: World): Promise<void> => {
  const at = { start: 0, end: 2.5 };
  await succeeded(
    recordVideoAnalysis(app, request(), v, {
      status: 'completed',
      faces: [1, 2, 3].map((id) => ({
        face_id: faceId(id),
        name: id === 2 ? 'Zoe' : null,
        personality_traits: id === 1 ? { openness: 0.25, notes: ['calm', null] } : undefined,
        tracks: [at],
        talking: [{ ...at, score: 0.75 }],
        captions: [{ ...at, text: 'Zoë, Müller & Söhne' }],
      })),
    }),
  );
  const words = [1, 2, 3].map((id) => ({ speaker_id: speakerId(id), ...at, text: 'Guten Tag' }));
  await succeeded(
    recordAudioAnalysis(app, request(), a, {
      status: 'completed',
      speakers: [1, 2, 3].map((id) => ({
        speaker_id: speakerId(id),
        name: id === 1 ? 'Ann' : null,
        role: id === 1 ? 'agent' : undefined,
        synthetic: id === 3,
      })),
      turns: words.map(({ speaker_id, start, end }) => ({ speaker_id, start, end })),
      transcript: words,
      provider_supplied: false,
      speech_segments: 'segments/1',
    }),
  );
  await succeeded(replaceTranscript(app, request(), a, words.slice(0, 2)));
};

const match = async ({ app, request, pass }: World): Promise<void> => {
  const trigger = async (mode: 'suggest' | 'commit'): Promise<RunId> => {
    pass(1_000);
    return (await succeeded(queueMatchRun(app, request(), v, mode, null))).run_id;
  };
  const answer = (run: RunId | null, what: WorkerAnswer) => succeeded(receiveWriteBack(app, request(), v, run, what));
  await answer(await trigger('suggest'), found([1, 1]));
  await answer(await trigger('suggest'), broken);
  const old = await trigger('suggest');
  const commit = await trigger('commit');
  await answer(old, found([1, 1]));
  await answer(null, found([1, 1]));
  await answer(commit, found([1, 1], [2, 3]));
  await answer(null, found([3, 2]));
  await answer(await trigger('commit'), broken);
  pass(1);
  await succeeded(revertMatchRun(app, request(), v, commit, false));
};

const edit = async ({ app, request, pass }: World): Promise<void> => {
  const at = () => {
    pass(1);
    return request().at;
  };
  const mapping = { face_id: faceId(1), speaker_id: speakerId(1), name: 'Eve' };
  at();
  await succeeded(matchFaces(app, request(), v, [mapping, { face_id: faceId(2), speaker_id: speakerId(2) }]));
  const faces = [{ face_id: faceId(3), name: personName('Max') }];
  await succeeded(changeVideo(app, request(), v, { type: 'RenameFaces', faces, at: at() }));
  const traits = { face_id: faceId(1), personality_traits: { openness: 0.5 } };
  await succeeded(changeVideo(app, request(), v, { type: 'RecordPersonalityTraits', ...traits }));
  const speakers = [{ speaker_id: speakerId(1), name: personName('Bea') }];
  at();
  await succeeded(renameSpeakers(app, request(), a, speakers));
  const roles = [{ speaker_id: speakerId(2), role: 'customer' as const }];
  await succeeded(changeAudio(app, request(), a, { type: 'SetSpeakerRoles', speakers: roles }));
  const title = { title: 'A call', at: at() };
  const media_url = 'https://media.example/call.mp4';
  await succeeded(changeVideo(app, request(), v, { type: 'ChangeVideoDetails', ...title, media_url }));
  await succeeded(changeAudio(app, request(), a, { type: 'ChangeAudioDetails', ...title }));
  const pair = { speaker_id: 3, face_id: 3 };
  at();
  await succeeded(decideLinks(app, request(), v, [{ ...pair, verdict: 'rejected' }]));
  at();
  const rest = [
    { ...pair, verdict: 'confirmed' as const },
    { speaker_id: 2, face_id: null, verdict: 'confirmed' as const },
  ];
  await succeeded(decideLinks(app, request(), v, rest));
  const decided = { position: (await succeeded(app.store.head())) ?? '', dry_run: false };
  at();
  await succeeded(revertVideoChange(app, request(), v, decided));
  await succeeded(changeVideo(app, request(), v, { type: 'UnmatchFace', face_id: 1, at: at() }));
  const last = async () => ({ position: (await succeeded(app.store.head())) ?? '', dry_run: false });
  await succeeded(revertVideoChange(app, request(), v, await last()));
  at();
  await succeeded(renameSpeakers(app, request(), a, [{ speaker_id: speakerId(1), name: personName('Cleo') }]));
  at();
  await succeeded(revertAudioChange(app, request(), a, v, await last()));
  const merge = { from: speakerId(2), into: speakerId(3), at: at() };
  await succeeded(changeAudio(app, request(), a, { type: 'MergeSpeakers', ...merge }));
  await succeeded(changeAudio(app, request(), a, { type: 'DeleteSpeaker', speaker_id: speakerId(1), at: at() }));
};

/** A newer analysis gives the last speaker another number. */
const renumber = async ({ app, request, pass }: World): Promise<void> => {
  pass(1);
  const turns = [{ speaker_id: speakerId(1), start: 0, end: 2.5 }];
  const speakers = foundSpeakers([[1, null]]).speakers.map((speaker) => ({ ...speaker, synthetic: true }));
  await succeeded(recordAudioAnalysis(app, request(), a, foundSpeakers([], { speakers, turns })));
};

const bill = async (place: World): Promise<void> => {
  const { app, request, pass } = place;
  const owner = accountId('owner');
  const window = { limit: credits('2.5'), period_seconds: period(3_600) };
  await succeeded(bookCredits(app, request(), owner, credits('10.000001'), 'top-up'));
  await succeeded(bookCredits(app, request(), owner, credits('-0.5'), 'granted too much'));
  await succeeded(setSpendingWindow(app, request(), owner, window));
  pass(1);
  await chargeRun(place, 'owner', 'run', '0.125');
  await succeeded(setSpendingWindow(app, request(), owner, null));
};

/** Records every type of event at least once, except seals. */
export const recordUnsealed = async (place: World): Promise<void> => {
  await register(place);
  await analyse(place);
  await match(place);
  await edit(place);
  await renumber(place);
  await bill(place);
  await recordInferences(place);
  await recordRealtime(place);
  await recordTags(place);
  await recordKeyedWrites(place);
  await recordErasures(place);
};

/** Records every type of event at least once. */
export const recordEverything = async (place: World): Promise<void> => {
  await recordUnsealed(place);
  await recordSeal(place);
  await succeeded(renameAccount(place.app, place.request(), accountId('owner'), 'The owner'));
};
