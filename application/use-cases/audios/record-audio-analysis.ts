import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RecordAudioAnalysis } from '../../../domain/audio/contract.js';
import { type AudioState, comparedState } from '../../../domain/audio/state.js';
import type { AudioId } from '../../../domain/kernel/ids.js';
import type { Uses } from '../../application.js';
import { heardBefore } from '../../evidence/match-evidence.js';
import type { AudioAnalysis } from '../../evidence/pack-analysis.js';
import { recordAnalysis } from '../../evidence/record-analysis.js';
import { writeParts, writeTranscript } from '../../evidence/parts.js';
import { type RequestContext, commandContext } from '../../commands/context.js';

const writeSpeech = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  analysis_id: string,
  state: AudioState,
  { turns, transcript }: AudioAnalysis,
) => {
  const known = state._tag === 'Registered' ? state : { turns: null, transcript: null };
  return pipe(
    writeParts(app, request, `speakerTurns-${audio_id}`, known.turns, turns, (items, place) => ({
      type: 'SpeakerTurnsRecorded',
      data: { audio_id, analysis_id, ...place, turns: items },
    })),
    TE.bindTo('turns'),
    TE.bind('transcript', () => writeTranscript(app, request, audio_id, analysis_id, known.transcript, transcript)),
  );
};

/** The digest of an analysis. Fields that derive from others, and how to compare it, do not count. */
const analysisId = ({ ids }: Uses<'ids'>, analysis: AudioAnalysis): string => {
  const { status, speakers, turns, transcript, keeps_transcript, provider_supplied, speech_segments } = analysis;
  return ids.digest(
    JSON.stringify({
      status,
      speakers,
      turns: turns?.digest,
      transcript: transcript === null && !keeps_transcript ? 'empty' : transcript?.digest,
      mentioned: null,
      provider_supplied,
      speech_segments,
    }),
  );
};

/**
 * PUT /v2/audios/{audio_id}/analysis. Turns and transcript are written first, then the event that refers to them. If the
 * speakers with which it was compared have changed meanwhile, it is compared again.
 */
export const recordAudioAnalysis = (
  app: Uses<'audios' | 'compare' | 'eventsOf' | 'ids' | 'perform' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  analysis: AudioAnalysis,
) => {
  const { status, speakers, mentioned, keeps_transcript, provider_supplied, speech_segments, heard, align } = analysis;
  const analysis_id = analysisId(app, analysis);
  const context = commandContext(app.ids, request);
  const command: RecordAudioAnalysis = {
    type: 'RecordAudioAnalysis',
    status,
    analysis_id,
    speakers,
    mentioned,
    turns: null,
    transcript: null,
    keeps_transcript,
    provider_supplied,
    speech_segments,
    alignment: null,
  };
  return recordAnalysis(app, {
    load: app.audios.load(audio_id),
    changes: app.eventsOf(request, 'audios', audio_id, command, true),
    none: { turns: null, transcript: null },
    writeEvidence: (state) => writeSpeech(app, request, audio_id, analysis_id, state, analysis),
    found: align && status === 'completed' ? heard : null,
    earlier: (state) =>
      state._tag === 'Registered' ? { comparedWith: comparedState(state), found: heardBefore(app, state) } : null,
    perform: (speech, alignment) =>
      app.perform(request, 'audios', audio_id, { ...command, ...speech, alignment }, context),
  });
};
