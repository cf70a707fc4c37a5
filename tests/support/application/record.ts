import type { Application } from '../../../application/application.js';
import {
  type FullAudioAnalysis,
  type FullVideoAnalysis,
  packAudioAnalysis,
  packVideoAnalysis,
} from '../../../application/evidence/pack-analysis.js';
import type { RequestContext } from '../../../application/commands/context.js';
import * as audios from '../../../application/use-cases/audios/record-audio-analysis.js';
import * as videos from '../../../application/use-cases/videos/record-video-analysis.js';
import type { AudioId, VideoId } from '../../../domain/kernel/ids.js';
import { faceId, speakerId } from '../values.js';

/** A completed analysis with these faces by id and name, seen at no time unless said otherwise. */
export const foundFaces = (
  faces: ReadonlyArray<readonly [id: number, name: string | null]>,
  parts: Partial<FullVideoAnalysis['faces'][number]> = {},
): FullVideoAnalysis => ({
  status: 'completed',
  faces: faces.map(([id, name]) => ({
    face_id: faceId(id),
    name,
    tracks: [],
    talking: [],
    captions: [],
    personality_traits: undefined,
    ...parts,
  })),
});

/** A completed analysis with these speakers by id and name, and nothing else unless it is given. */
export const foundSpeakers = (
  speakers: ReadonlyArray<readonly [id: number, name: string | null]>,
  parts: Partial<FullAudioAnalysis> = {},
): FullAudioAnalysis => ({
  status: 'completed',
  speakers: speakers.map(([id, name]) => ({ speaker_id: speakerId(id), name, role: undefined, synthetic: false })),
  turns: [],
  transcript: null,
  provider_supplied: false,
  speech_segments: null,
  ...parts,
});

/** The use cases for analyses as a worker sends them. */
export const recordVideoAnalysis = (app: Application, request: RequestContext, id: VideoId, full: FullVideoAnalysis) =>
  videos.recordVideoAnalysis(app, request, id, packVideoAnalysis(full, app.ids.digest));

export const recordAudioAnalysis = (app: Application, request: RequestContext, id: AudioId, full: FullAudioAnalysis) =>
  audios.recordAudioAnalysis(app, request, id, packAudioAnalysis(full, app.ids.digest));
