import { emptyBuckets, withEntries } from '../kernel/bucketed-map.js';
import type { FaceId, RunId } from '../kernel/ids.js';
import { withSharedRevert } from '../kernel/shared-revert.js';
import type { VideoEvent } from './events.js';
import { type FaceChange, mergeChanges } from './face.js';
import { handedOn, putBack, withChanges, withFaces, withSharedNames } from './faces.js';
import { amongFaces, nothingRuledOut, withRuledOut, withoutSpeaker } from './ruled-out.js';
import type { Face, OpenRun, RegisteredVideo, StoredMatch, VideoState } from './state.js';

type Recorded<Type extends VideoEvent['type']> = Extract<VideoEvent, { type: Type }>['data'];

/** Superseded runs that are remembered as possible senders of a late write-back. */
const rememberedRuns = 16;

const noMatch: StoredMatch = { status: null, queued_at: null, mode: null, run_id: null };

const registered = (data: Recorded<'VideoRegistered'>): RegisteredVideo => ({
  _tag: 'Registered',
  video_id: data.video_id,
  owner_id: data.owner_id,
  kind: data.kind,
  title: data.title,
  media_url: data.media_url,
  audio_id: data.audio_id,
  status: 'queue',
  analysis_id: null,
  tracks: null,
  faces: new Map(),
  match: noMatch,
  open_runs: [],
  ruled_out: nothingRuledOut,
  tags: emptyBuckets,
  shared_reverts: [],
});

const analysed = (state: RegisteredVideo, data: Recorded<'VideoAnalysisRecorded'>): RegisteredVideo => ({
  ...state,
  status: data.status,
  analysis_id: data.analysis_id,
  tracks: data.tracks ?? state.tracks,
  ruled_out: amongFaces(state.ruled_out, new Set(data.faces.map(({ face_id }) => face_id))),
  faces: new Map(
    data.faces.map((face): [FaceId, Face] => {
      const known = state.faces.get(face.face_id);
      const stays = known !== undefined && known.name === face.name;
      return [
        face.face_id,
        {
          ...face,
          named_by: stays ? known.named_by : 'analysis',
          named_at: stays ? known.named_at : data.at,
          name_origin: stays ? known.name_origin : 'own',
        },
      ];
    }),
  ),
});

const personalityRecorded = (
  state: RegisteredVideo,
  { face_id, personality_traits }: Recorded<'PersonalityTraitsRecorded'>,
): RegisteredVideo => ({ ...state, faces: withFaces(state.faces, [{ face_id, change: { personality_traits } }]) });

const renamed = (state: RegisteredVideo, { faces, at }: Recorded<'FacesRenamed'>): RegisteredVideo => ({
  ...state,
  faces: withFaces(
    state.faces,
    faces.map(({ face_id, name, named_by }) => ({
      face_id,
      change: { name, named_by: named_by.after, named_at: at, name_origin: 'own' },
    })),
  ),
});

const matched = (state: RegisteredVideo, { changes, speakers, at }: Recorded<'FacesMatched'>): RegisteredVideo => ({
  ...state,
  faces: withSharedNames(withChanges(state.faces, changes, { at, adopts: true }), speakers, at),
});

const queued = (state: RegisteredVideo, data: Recorded<'MatchRunQueued'>): RegisteredVideo => {
  const suggest = data.mode === 'suggest';
  const run: OpenRun = {
    run_id: data.run_id,
    mode: data.mode,
    target_speaker_ids: data.target_speaker_ids,
    queued_at: data.at,
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

const committed = (state: RegisteredVideo, data: Recorded<'MatchesCommitted'>): RegisteredVideo => ({
  ...state,
  faces: withChanges(putBack(state.faces, data.replaced, data.at), data.changes, { at: data.at, adopts: true }),
  open_runs: answered(state, data, data.changes),
});

const runFailed = (state: RegisteredVideo, data: Recorded<'MatchRunFailed'>): RegisteredVideo => ({
  ...state,
  faces: putBack(state.faces, data.replaced, data.at),
  match: data.mode === 'suggest' ? { ...state.match, status: 'failed' } : state.match,
  open_runs: answered(state, data, []),
});

const tagged = (state: RegisteredVideo, { source, tags }: Recorded<'TagsWritten'>): RegisteredVideo => ({
  ...state,
  tags: withEntries(
    state.tags,
    tags.map(({ key, category, value }) => [key, { value, category, source }]),
  ),
});

const withDetails = (
  state: RegisteredVideo,
  { title, media_url }: Pick<Recorded<'VideoDetailsChanged'>, 'title' | 'media_url'>,
): RegisteredVideo => ({
  ...state,
  title: title === null ? state.title : title.after,
  media_url: media_url === null ? state.media_url : media_url.after,
});

const reverted = (state: RegisteredVideo, data: Recorded<'VideoChangeReverted'>): RegisteredVideo => ({
  ...withDetails(state, data),
  faces: putBack(state.faces, data.faces, data.at),
  ruled_out: withRuledOut(state.ruled_out, data.ruled_out),
  tags:
    data.tags.length === 0
      ? state.tags
      : withEntries(
          state.tags,
          data.tags.map(({ key, after }) => [key, after]),
        ),
  shared_reverts:
    data.audio === null
      ? state.shared_reverts
      : withSharedRevert(state.shared_reverts, {
          change_id: data.change_id,
          other_revision: data.audio.audio_revision,
        }),
});

const evolveRegistered = (state: RegisteredVideo, event: VideoEvent): RegisteredVideo => {
  switch (event.type) {
    case 'VideoRegistered':
      return registered(event.data);
    case 'AudioAssociated':
      return { ...state, audio_id: event.data.audio_id };
    case 'AudioDissociated':
      return { ...state, audio_id: null };
    case 'VideoAnalysisRecorded':
      return analysed(state, event.data);
    case 'PersonalityTraitsRecorded':
      return personalityRecorded(state, event.data);
    case 'FacesRenamed':
      return renamed(state, event.data);
    case 'FacesMatched':
      return matched(state, event.data);
    case 'VideoDetailsChanged':
      return withDetails(state, event.data);
    case 'SpeakerWithdrawn':
      return {
        ...state,
        faces: handedOn(state.faces, event.data.changes, event.data.at),
        ruled_out: withoutSpeaker(state.ruled_out, event.data.speaker_id),
      };
    case 'LinksDecided':
      return {
        ...state,
        faces: withChanges(state.faces, event.data.changes, { at: event.data.at, adopts: true }),
        ruled_out: withRuledOut(state.ruled_out, event.data.ruled_out),
      };
    case 'FaceUnmatched':
    case 'MatchRunReverted':
      return { ...state, faces: putBack(state.faces, event.data.changes, event.data.at) };
    case 'MatchRunQueued':
      return queued(state, event.data);
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
      return tagged(state, event.data);
    case 'TagRemoved':
      return { ...state, tags: withEntries(state.tags, [[event.data.key, null]]) };
    case 'VideoChangeReverted':
      return reverted(state, event.data);
  }
};

export const evolve = (state: VideoState, event: VideoEvent): VideoState => {
  if (event.type === 'VideoRegistered') return registered(event.data);
  return state._tag === 'Unregistered' ? state : evolveRegistered(state, event);
};
