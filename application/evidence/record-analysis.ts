import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { RecordAudioAnalysis } from '../../domain/audio/contract.js';
import * as audio from '../../domain/audio/state.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import type { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { Alignment, Renumbering } from '../../domain/kernel/renumbering.js';
import type { Presence } from '../../domain/matching/continuations.js';
import type { RecordVideoAnalysis } from '../../domain/video/contract.js';
import * as video from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import { type RequestContext, commandContext } from '../commands/context.js';
import type { CommandResult, Folded } from '../commands/handle-command.js';
import type { Failure, RevisionChanged } from '../failures.js';
import { heardBefore, seenBefore, writeParts, writeTranscript } from './evidence.js';
import type { AudioAnalysis, VideoAnalysis } from './pack-analysis.js';

/** How the analysis of a video or an audio is recorded. */
interface Recording<State, Refusal, Written, Id extends number> {
  readonly load: TE.TaskEither<Failure, Folded<State>>;
  /** The events of the analysis without its evidence, not written: none if it is known already. */
  readonly changes: TE.TaskEither<Refusal | RevisionChanged | Failure, ReadonlyArray<unknown>>;
  readonly writeEvidence: (state: State) => TE.TaskEither<Failure, Written>;
  /** What it found, to be compared with what was found before; null if the numbers stay as they are. */
  readonly found: ReadonlyArray<Presence<Id>> | null;
  /** What was found before, and the state that this belongs to; null if there is nothing. */
  readonly earlier: (
    state: State,
  ) => { readonly comparedWith: string; readonly found: TE.TaskEither<Failure, ReadonlyArray<Presence<Id>>> } | null;
  readonly perform: (
    written: Partial<Written>,
    alignment: Alignment<Id> | null,
  ) => TE.TaskEither<Refusal | RevisionChanged | Failure, CommandResult<State, DomainEvent>>;
}

const attempts = 20;

/** How the analysis among these events numbers differently; nothing for one that was known already. */
const renumberingIn = (recorded: CommandResult<unknown, DomainEvent>['recorded']): Renumbering => {
  const events = recorded.map(({ event }) => event);
  const found = events.find(
    (event) => event.type === 'AudioAnalysisRecorded' || event.type === 'VideoAnalysisRecorded',
  );
  return found === undefined ? { renumbered: [], discontinued: [] } : found.data;
};

/**
 * Writes the bulky evidence first; nothing refers to it until the record's own event does. If what the analysis was
 * compared with has changed meanwhile, it is compared again.
 */
const recordAnalysis = <State, Refusal extends { readonly _tag: string }, Written, Id extends number>(
  { compare }: Uses<'compare'>,
  { load, changes, writeEvidence, found, earlier, perform }: Recording<State, Refusal, Written, Id>,
): TE.TaskEither<Refusal | RevisionChanged | Failure, Renumbering> => {
  const align = (state: State): TE.TaskEither<Failure, Alignment<Id> | null> => {
    const before = earlier(state);
    if (found === null || before === null) return TE.right(null);
    return pipe(
      before.found,
      TE.chainTaskK((known) => compare(known, found)),
      TE.map((continued) => ({ comparedWith: before.comparedWith, continued })),
    );
  };
  const compared = (written: Written, left = attempts): ReturnType<typeof perform> =>
    pipe(
      load,
      TE.chain(({ state }) => align(state)),
      TE.chainW((alignment) => perform(written, alignment)),
      TE.orElse((refusal) =>
        refusal._tag === 'ComparedWithOthers' && left > 0 ? compared(written, left - 1) : TE.left(refusal),
      ),
    );
  const written = pipe(
    load,
    TE.chain(({ state }) => writeEvidence(state)),
  );
  return pipe(
    changes,
    TE.chain((events) => (events.length === 0 ? perform({}, null) : pipe(written, TE.chainW(compared)))),
    TE.map(({ recorded }) => renumberingIn(recorded)),
  );
};

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
    writeEvidence: (state) => {
      const last = state._tag === 'Registered' ? state.tracks : null;
      const recorded = writeParts(app, request, `faceTracks-${video_id}`, last, tracks, (items, place) => ({
        type: 'FaceTracksRecorded',
        data: { video_id, analysis_id, ...place, faces: items },
      }));
      return pipe(recorded, TE.bindTo('tracks'));
    },
    found: align && status === 'completed' ? seen : null,
    earlier: (state) =>
      state._tag === 'Registered' ? { comparedWith: video.comparedState(state), found: seenBefore(app, state) } : null,
    perform: (written, alignment) =>
      app.perform(request, 'videos', video_id, { ...command, ...written, alignment }, context),
  });
};

const writeSpeech = (
  app: Uses<'ids' | 'store'>,
  request: RequestContext,
  audio_id: AudioId,
  analysis_id: string,
  state: audio.AudioState,
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
    writeEvidence: (state) => writeSpeech(app, request, audio_id, analysis_id, state, analysis),
    found: align && status === 'completed' ? heard : null,
    earlier: (state) =>
      state._tag === 'Registered' ? { comparedWith: audio.comparedState(state), found: heardBefore(app, state) } : null,
    perform: (written, alignment) =>
      app.perform(request, 'audios', audio_id, { ...command, ...written, alignment }, context),
  });
};
