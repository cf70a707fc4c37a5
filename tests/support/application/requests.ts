import { renameSpeakers } from '../../../application/use-cases/audios/change-audio.js';
import { queueMatchRun, receiveWriteBack } from '../../../application/use-cases/match-runs/match-runs.js';
import { decideLinks, matchFaces } from '../../../application/use-cases/videos/change-video.js';
import type { RequestContext } from '../../../application/commands/context.js';
import type { RunId } from '../../../domain/kernel/ids.js';
import type { ProposedMatch } from '../../../domain/video/write-back.js';
import { audioId, faceId, personName, speakerId, videoId } from '../values.js';
import type { World } from './world.js';

type Mapping = readonly [face: number, speaker: number, name?: string | null];

/** What clients and workers ask of a video and its audio, which has the same id unless said otherwise. */
export const requestsTo = ({ app }: Pick<World, 'app'>, request: RequestContext, id: string, audio = id) => {
  const [video_id, audio_id, { at }] = [videoId(id), audioId(audio), request];
  return {
    nameFace: (face: number, name: string) => {
      const faces = [{ face_id: faceId(face), name: personName(name) }];
      return app.perform(request, 'videos', video_id, { type: 'RenameFaces', faces, at });
    },
    nameSpeaker: (speaker: number, name: string) =>
      renameSpeakers(app, request, audio_id, [{ speaker_id: speakerId(speaker), name: personName(name) }]),
    match: (...mappings: ReadonlyArray<Mapping>) =>
      matchFaces(
        app,
        request,
        video_id,
        mappings.map(([face, speaker, name = null]) => ({
          face_id: faceId(face),
          speaker_id: speakerId(speaker),
          name,
        })),
      ),
    decide: (verdict: 'confirmed' | 'rejected', face: number, speaker: number) =>
      decideLinks(app, request, video_id, [{ speaker_id: speakerId(speaker), face_id: faceId(face), verdict }]),
    trigger: (mode: 'suggest' | 'commit', targets: ReadonlyArray<number> | null = null) =>
      queueMatchRun(app, request, video_id, mode, targets?.map(speakerId) ?? null),
    /** A write-back, which failed without matches. */
    answer: (run_id: RunId | null, matches: ReadonlyArray<ProposedMatch> | null) =>
      receiveWriteBack(
        app,
        request,
        video_id,
        run_id,
        matches === null
          ? { status: 'failed', error: 'broken' }
          : { status: 'completed', matches, unmatched_speakers: [] },
      ),
  };
};
