import type { AnalysedFace, RecordVideoAnalysis } from '../../../domain/video/contract.js';
import type { FaceId, VideoId } from '../../../domain/kernel/ids.js';
import type { Presence } from '../../../domain/matching/continuations.js';
import type { ProcessingStatus } from '../../../domain/kernel/media.js';
import { comparedState } from '../../../domain/video/state.js';
import type { Uses } from '../../application.js';
import { seenBefore } from '../../evidence/match-evidence.js';
import { recordAnalysis } from '../../evidence/record-analysis.js';
import { type EvidenceParts, writeParts } from '../../evidence/parts.js';
import { type RequestContext, commandContext } from '../../commands/context.js';

export interface VideoAnalysis {
  readonly status: ProcessingStatus;
  readonly faces: ReadonlyArray<AnalysedFace>;
  /** When the faces are to be seen: items are `FaceTracks`. Null where there are no faces. */
  readonly tracks: EvidenceParts | null;
  /** When each face is seen. */
  readonly seen: ReadonlyArray<Presence<FaceId>>;
  /** Whether to find out by their seconds which faces continue which earlier ones. */
  readonly align: boolean;
}

/**
 * PUT /v2/videos/{video_id}/analysis. One that would be refused, or that is known already, writes nothing.
 */
export const recordVideoAnalysis = (
  app: Uses<'compare' | 'eventsOf' | 'ids' | 'perform' | 'store' | 'videos'>,
  request: RequestContext,
  video_id: VideoId,
  analysis: VideoAnalysis,
) => {
  const { status, faces, tracks, seen, align } = analysis;
  const analysis_id = app.ids.digest(JSON.stringify({ status, faces, tracks: tracks?.digest }));
  const context = commandContext(app.ids, request);
  const command: RecordVideoAnalysis = {
    type: 'RecordVideoAnalysis',
    status,
    analysis_id,
    faces,
    tracks: null,
    alignment: null,
    at: request.at,
  };
  return recordAnalysis(app, {
    load: app.videos.load(video_id),
    changes: app.eventsOf(request, 'videos', video_id, command, true),
    none: null,
    writeEvidence: (state) => {
      const last = state._tag === 'Registered' ? state.tracks : null;
      return writeParts(app, request, `faceTracks-${video_id}`, last, tracks, (items, place) => ({
        type: 'FaceTracksRecorded',
        data: { video_id, analysis_id, ...place, faces: items },
      }));
    },
    found: align && status === 'completed' ? seen : null,
    earlier: (state) =>
      state._tag === 'Registered' ? { comparedWith: comparedState(state), found: seenBefore(app, state) } : null,
    perform: (written, alignment) =>
      app.perform(request, 'videos', video_id, { ...command, tracks: written, alignment }, context),
  });
};
