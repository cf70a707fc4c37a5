import { changeAudio, renameSpeakers } from '../../../application/use-cases/audios/change-audio.js';
import { changeVideo, matchFaces } from '../../../application/use-cases/videos/change-video.js';
import { receiveWriteBack } from '../../../application/use-cases/match-runs/match-runs.js';
import type { Timestamp } from '../../../domain/kernel/timestamp.js';
import { audioId, faceId, personName, speakerId, videoId } from '../values.js';
import type { Scenario } from './scenario.js';

export type Request =
  | { readonly do: 'rename'; readonly speaker: number; readonly name: string }
  | { readonly do: 'match'; readonly face: number; readonly speaker: number; readonly name: string | null }
  | { readonly do: 'name face'; readonly face: number; readonly name: string }
  | { readonly do: 'write back'; readonly face: number; readonly speaker: number }
  | { readonly do: 'merge'; readonly from: number; readonly into: number }
  | { readonly do: 'delete'; readonly speaker: number };

const [video_id, audio_id] = [videoId('v'), audioId('a')];

/** Serves a request; it may be refused. */
export const serve = (
  { app, request: requestOf, run_id }: Scenario,
  request: Request,
  at: Timestamp,
): Promise<unknown> => {
  const context = requestOf({ at });
  switch (request.do) {
    case 'rename': {
      const speakers = [{ speaker_id: speakerId(request.speaker), name: personName(request.name) }];
      return renameSpeakers(app, context, audio_id, speakers)();
    }
    case 'match': {
      const { face, speaker, name } = request;
      return matchFaces(app, context, video_id, [{ face_id: faceId(face), speaker_id: speakerId(speaker), name }])();
    }
    case 'write back': {
      const match = { face_id: faceId(request.face), speaker_id: speakerId(request.speaker), accuracy: 0.9 };
      return receiveWriteBack(app, context, video_id, run_id, {
        status: 'completed',
        matches: [{ ...match, channel: 'co_occurrence', evidence: {} }],
        unmatched_speakers: [],
      })();
    }
    case 'name face': {
      const faces = [{ face_id: faceId(request.face), name: personName(request.name) }];
      return changeVideo(app, context, video_id, { type: 'RenameFaces', faces, at })();
    }
    case 'merge': {
      const [from, into] = [speakerId(request.from), speakerId(request.into)];
      return changeAudio(app, context, audio_id, { type: 'MergeSpeakers', from, into, at })();
    }
    case 'delete': {
      const speaker_id = speakerId(request.speaker);
      return changeAudio(app, context, audio_id, { type: 'DeleteSpeaker', speaker_id, at })();
    }
  }
};
