import { erasedBy } from '../kernel/erased.js';
import type { FaceId, RunId } from '../kernel/ids.js';
import { continuing, isRenumbering } from '../kernel/renumbering.js';
import type { Timestamp } from '../kernel/timestamp.js';
import type { VideoEvent, VideoData } from './events.js';
import { type IdFollower, followFaces, followSpeakers } from './follow-matches.js';
import {
  type RecordedFace,
  type FaceChange,
  type TagEdit,
  attributesAfter,
  followChanges,
  mergeChanges,
  followRuledOut,
  nothingRuledOut,
  withDetails,
  withRuledOut,
  forgetRuledOutSpeaker,
} from './changes.js';
import {
  type Face,
  type RegisteredVideo,
  type VideoState,
  type OpenRun,
  noMatch,
  ownNamesAs,
  restore,
  withChanges,
  withFaces,
  withHandovers,
  withOwnName,
  withSharedNames,
  withSpeakersFollowed,
} from './state.js';
import { withoutAudio } from './forget-audio.js';
import { editsIn } from './reversible-changes.js';

/** How many superseded runs are remembered as possible senders of a late write-back. */
const rememberedRuns = 16;

/** The state after a trigger. */
const queued = (state: RegisteredVideo, data: VideoData<'MatchRunQueued'>, revision: number): RegisteredVideo => {
  const suggest = data.mode === 'suggest';
  const run: OpenRun = {
    run_id: data.run_id,
    mode: data.mode,
    target_speaker_ids: data.target_speaker_ids,
    queued_at: data.at,
    revision,
    superseded: false,
    assumed: null,
  };
  return {
    ...state,
    match: {
      status: 'queue',
      queued_at: suggest ? data.at : null,
      mode: suggest ? 'suggest' : null,
      run_id: data.run_id,
    },
    open_runs: [...state.open_runs.map((open) => ({ ...open, superseded: true })).slice(-rememberedRuns), run],
  };
};

/**
 * The open runs after a renumbering. What was assumed of them follows; their targets are followed when they answer, for
 * an answer uses the ids of the trigger.
 */
const followedRuns = (open_runs: ReadonlyArray<OpenRun>, { speaker, face }: IdFollower): ReadonlyArray<OpenRun> =>
  open_runs.map((run) =>
    run.assumed === null ? run : { ...run, assumed: { changes: followChanges(run.assumed.changes, speaker, face) } },
  );

/** The open runs after an answer. */
const answered = (
  state: RegisteredVideo,
  { run_id, attribution }: { readonly run_id: RunId; readonly attribution: string },
  changes: ReadonlyArray<FaceChange>,
): ReadonlyArray<OpenRun> =>
  attribution === 'assumed'
    ? state.open_runs.map((run) =>
        run.run_id === run_id
          ? { ...run, assumed: { changes: mergeChanges(run.assumed?.changes ?? [], changes) } }
          : run,
      )
    : state.open_runs.filter((run) => run.run_id !== run_id);

/** The state after a run committed matches. */
const committed = (state: RegisteredVideo, data: VideoData<'MatchesCommitted'>): RegisteredVideo => ({
  ...state,
  faces: withChanges(restore(state.faces, data.replaced, data.at), data.changes, { at: data.at, adopts: true }),
  open_runs: answered(state, data, data.changes),
});

/** The state after a run failed. */
const runFailed = (state: RegisteredVideo, data: VideoData<'MatchRunFailed'>): RegisteredVideo => ({
  ...state,
  faces: restore(state.faces, data.replaced, data.at),
  match: data.mode === 'suggest' ? { ...state.match, status: 'failed' } : state.match,
  open_runs: answered(state, data, []),
});

const registered = (data: VideoData<'VideoRegistered'>): RegisteredVideo => ({
  _tag: 'Registered',
  ...data,
  status: 'queue',
  analysis_id: null,
  tracks: null,
  completed: null,
  renumberings: { faces: [], speakers: [] },
  renumbered_at: null,
  faces: new Map(),
  match: noMatch,
  open_runs: [],
  ruled_out: nothingRuledOut,
  tags: new Map(),
});

/** A face that keeps its name also keeps who gave it. */
const analysedFace = (face: RecordedFace, known: Face | undefined, at: Timestamp): Face => {
  const attributes = attributesAfter(face, known);
  const { name } = attributes;
  const stays = known !== undefined && known.name === name;
  const own = known === undefined ? [] : ownNamesAs(known.own, known.face_id, face.face_id);
  return {
    face_id: face.face_id,
    ...attributes,
    named_by: stays ? known.named_by : 'analysis',
    named_at: stays ? known.named_at : at,
    name_origin: stays ? known.name_origin : 'own',
    own: stays ? own : withOwnName(own, { name, named_by: 'analysis' }),
  };
};

const analysed = (
  state: RegisteredVideo,
  data: VideoData<'VideoAnalysisRecorded'>,
  revision: number,
): RegisteredVideo => {
  const { renumbered, discontinued, at } = data;
  const continued = continuing(data, state.faces);
  const follow = followFaces(data);
  const present = new Set(data.faces.map(({ face_id }) => face_id));
  const stays = (earlier: FaceId): FaceId | null => {
    const face_id = follow.face(earlier);
    return face_id !== null && present.has(face_id) ? face_id : null;
  };
  const tracks = data.tracks ?? state.tracks;
  const { faces } = state.renumberings;
  return {
    ...state,
    status: data.status,
    analysis_id: data.analysis_id,
    tracks,
    completed: data.status === 'completed' ? { tracks } : state.completed,
    ...(isRenumbering(data)
      ? {
          renumberings: { ...state.renumberings, faces: [...faces, { revision, renumbered, discontinued }] },
          renumbered_at: at,
          open_runs: followedRuns(state.open_runs, follow),
        }
      : {}),
    ruled_out: followRuledOut(state.ruled_out, follow.speaker, stays),
    faces: new Map(
      data.faces.map((face): [FaceId, Face] => [face.face_id, analysedFace(face, continued(face.face_id), at)]),
    ),
  };
};

const speakersRenumbered = (
  state: RegisteredVideo,
  { audio_revision, renumbered, discontinued, at }: VideoData<'SpeakersRenumbered'>,
  revision: number,
): RegisteredVideo => {
  const renumbering = { renumbered, discontinued };
  const follow = followSpeakers(renumbering);
  const { speakers } = state.renumberings;
  return {
    ...state,
    renumberings: { ...state.renumberings, speakers: [...speakers, { revision, audio_revision, ...renumbering }] },
    renumbered_at: at,
    faces: withSpeakersFollowed(state.faces, renumbering, at),
    ruled_out: followRuledOut(state.ruled_out, follow.speaker, follow.face),
    open_runs: followedRuns(state.open_runs, follow),
  };
};

const personalityRecorded = (
  state: RegisteredVideo,
  { face_id, personality_traits }: VideoData<'PersonalityTraitsRecorded'>,
): RegisteredVideo => ({ ...state, faces: withFaces(state.faces, [{ face_id, change: { personality_traits } }]) });

const renamed = (state: RegisteredVideo, { faces, cause, at }: VideoData<'FacesRenamed'>): RegisteredVideo => ({
  ...state,
  faces: withFaces(
    state.faces,
    faces.map(({ face_id, name, named_by: { after: named_by } }) => {
      const known = state.faces.get(face_id)?.own ?? [];
      const own = cause.kind === 'request' ? withOwnName(known, { name, named_by }) : known;
      return { face_id, change: { name, named_by, named_at: at, name_origin: 'own', own } };
    }),
  ),
});

const matched = (state: RegisteredVideo, { changes, speakers, at }: VideoData<'FacesMatched'>): RegisteredVideo => ({
  ...state,
  faces: withSharedNames(withChanges(state.faces, changes, { at, adopts: true }), speakers, at),
});

const decided = (state: RegisteredVideo, { changes, ruled_out, at }: VideoData<'LinksDecided'>): RegisteredVideo => ({
  ...state,
  faces: withChanges(state.faces, changes, { at, adopts: true }),
  ruled_out: withRuledOut(state.ruled_out, ruled_out),
});

const withdrawn = (
  state: RegisteredVideo,
  { speaker_id, changes, at }: VideoData<'SpeakerWithdrawn'>,
): RegisteredVideo => ({
  ...state,
  faces: withHandovers(state.faces, changes, at),
  ruled_out: forgetRuledOutSpeaker(state.ruled_out, speaker_id),
});

const withTags = (state: RegisteredVideo, changes: ReadonlyArray<TagEdit>): RegisteredVideo => {
  const tags = new Map(state.tags);
  for (const { key, after } of changes)
    if (after === null) tags.delete(key);
    else tags.set(key, after);
  return { ...state, tags };
};

const reverted = (state: RegisteredVideo, data: VideoData<'VideoChangeReverted'>): RegisteredVideo => ({
  ...withTags(withDetails(state, data), data.tags),
  faces: restore(state.faces, data.faces, data.at),
  ruled_out: withRuledOut(state.ruled_out, data.ruled_out),
});

const evolveRegistered = (
  state: RegisteredVideo,
  event: Exclude<VideoEvent, { type: 'VideoRegistered' | 'MediumErased' }>,
  revision: number,
): RegisteredVideo => {
  switch (event.type) {
    case 'AudioAssociated':
      return { ...state, audio_id: event.data.audio_id, renumberings: { ...state.renumberings, speakers: [] } };
    case 'AudioDissociated':
      return { ...state, audio_id: null };
    case 'VideoAnalysisRecorded':
      return analysed(state, event.data, revision);
    case 'SpeakersRenumbered':
      return speakersRenumbered(state, event.data, revision);
    case 'PersonalityTraitsRecorded':
      return personalityRecorded(state, event.data);
    case 'FacesRenamed':
      return renamed(state, event.data);
    case 'FacesMatched':
      return matched(state, event.data);
    case 'VideoDetailsChanged':
      return withDetails(state, event.data);
    case 'SpeakerWithdrawn':
      return withdrawn(state, event.data);
    case 'LinksDecided':
      return decided(state, event.data);
    case 'FaceUnmatched':
    case 'MatchRunReverted':
      return { ...state, faces: restore(state.faces, event.data.changes, event.data.at) };
    case 'MatchRunQueued':
      return queued(state, event.data, revision);
    case 'SuggestionsStored':
      return {
        ...state,
        match: { ...state.match, status: 'completed' },
        open_runs: answered(state, event.data, []),
      };
    case 'MatchesCommitted':
      return committed(state, event.data);
    case 'MatchRunFailed':
      return runFailed(state, event.data);
    case 'TagsWritten':
    case 'TagRemoved':
      return withTags(state, editsIn(event).tags);
    case 'VideoChangeReverted':
      return reverted(state, event.data);
    case 'AudioErased':
      return withoutAudio(state, event.data);
  }
};

export const evolve = (state: VideoState, event: VideoEvent, revision: number): VideoState => {
  if (event.type === 'VideoRegistered') return registered(event.data);
  if (event.type === 'MediumErased') return erasedBy(event.data);
  return state._tag === 'Registered' ? evolveRegistered(state, event, revision) : state;
};
