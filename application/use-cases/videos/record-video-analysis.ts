import type { RecordVideoAnalysis } from '../../../domain/video/contract.js';
import type { VideoId } from '../../../domain/kernel/ids.js';
import { comparedState } from '../../../domain/video/state.js';
import type { Uses } from '../../application.js';
import { seenBefore } from '../../evidence/match-evidence.js';
import type { VideoAnalysis } from '../../evidence/pack-analysis.js';
import { recordAnalysis } from '../../evidence/record-analysis.js';
import { writeParts } from '../../evidence/parts.js';
import { type RequestContext, commandContext } from '../../commands/context.js';

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
