import { commandContext } from '../../application/commands/context.js';
import { issueKey, openAccount, renameAccount, revokeKey } from '../../application/use-cases/access/manage-access.js';
import { changeAudio, renameSpeakers } from '../../application/use-cases/audios/change-audio.js';
import { bookCredits, setSpendingWindow } from '../../application/use-cases/credits/credits.js';
import { queueMatchRun, receiveWriteBack, revertMatchRun } from '../../application/use-cases/match-runs/match-runs.js';
import { revertAudioChange, revertVideoChange } from '../../application/use-cases/undo/revert-change.js';
import { decideLinks, changeVideo, matchFaces } from '../../application/use-cases/videos/change-video.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import type { RunId } from '../../domain/kernel/ids.js';
import type { WorkerAnswer } from '../../domain/video/write-back.js';
import { audio, video } from './application/media.js';
import { foundSpeakers, recordAudioAnalysis, recordVideoAnalysis, replaceTranscript } from './application/record.js';
import type { World } from './application/world.js';
import { period } from './credit-events.js';
import { chargeRun } from './credit-world.js';
import { credits } from './credits.js';
import { succeeded } from './event-store/outcomes.js';
import { recordInferences } from './recorded-inference.js';
import { recordRealtime, recordKeyedWrites, recordErasures, recordSeal, recordTags } from './recorded-others.js';
import { accountId, audioId, faceId, personName, speakerId, videoId } from './values.js';
import { proposed } from './video-events.js';

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
