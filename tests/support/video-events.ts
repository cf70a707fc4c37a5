import type { FaceId } from '../../domain/kernel/ids.js';
import type { ProcessingStatus } from '../../domain/kernel/media.js';
import type { NamedBy } from '../../domain/kernel/names.js';
import type { FaceAttributes, FaceChange, RecordedFace } from '../../domain/video/changes.js';
import type {
  AnalysedFace,
  AudioFacts,
  MatchFaces,
  RecordVideoAnalysis,
  RegisterVideo,
  VideoCommand,
  QueueMatchRun,
  ReceiveWriteBack,
} from '../../domain/video/contract.js';
import { video } from '../../domain/video/decider.js';
import type { MatchMode, VideoData, VideoEvent } from '../../domain/video/events.js';
import type { Face } from '../../domain/video/state.js';
import type { ProposedMatch, SuggestionBlock, WorkerAnswer } from '../../domain/video/write-back.js';
import { specification } from './specification.js';
import { accountId, at, audioId, faceId, personName, runId, speakerId, videoId } from './values.js';

const stating: ReadonlyArray<VideoCommand['type']> = [
  'RecordVideoAnalysis',
  'RecordPersonalityTraits',
  'RenameFaces',
  'FollowSpeakerNames',
  'WithdrawSpeaker',
  'UnmatchFace',
  'DecideLinks',
  'ChangeVideoDetails',
  'DissociateAudio',
  'WriteTags',
];

/** PUT speaker-face-match once more, after the audio's speakers have got the names that it gave them. */
const matchedAgain = (command: MatchFaces, recorded: ReadonlyArray<VideoEvent>): MatchFaces => {
  const names = new Map(
    recorded.flatMap(({ type, data }) =>
      type === 'FacesMatched' ? data.speakers.map(({ speaker_id, name }) => [speaker_id, name]) : [],
    ),
  );
  const { audio } = command;
  const renamed = audio?.speakers.map((speaker) => ({
    ...speaker,
    name: names.get(speaker.speaker_id) ?? speaker.name,
    named_by: names.has(speaker.speaker_id) ? ('person' as const) : speaker.named_by,
  }));
  return { ...command, audio: audio === null ? null : { ...audio, speakers: renamed ?? [] } };
};

export const theVideo = specification(video, (command: VideoCommand, recorded) => {
  if (command.type === 'MatchFaces') return matchedAgain(command, recorded);
  return stating.includes(command.type) ? command : null;
});

/** The command that results in `registered`. */
export const registerVideo: RegisterVideo = {
  type: 'RegisterVideo',
  video_id: videoId('v'),
  owner_id: accountId('owner'),
  title: null,
  kind: 'upload',
  media_url: null,
  audio_id: audioId('a'),
};

export const registered = ({ audio = 'a' }: { readonly audio?: string | null } = {}): VideoEvent => {
  const { type: _type, ...data } = registerVideo;
  return { type: 'VideoRegistered', data: { ...data, audio_id: audio === null ? null : audioId(audio) } };
};

export const attributes = (parts: Partial<FaceAttributes> = {}): FaceAttributes => ({
  name: null,
  speaker_id: null,
  accuracy: null,
  personality_traits: null,
  ...parts,
});

export const face = (id: number, name: string | null, parts: Partial<FaceAttributes> = {}): RecordedFace => ({
  face_id: faceId(id),
  ...attributes({ name, ...parts }),
});

export const analysed = (
  faces: ReadonlyArray<RecordedFace>,
  status: ProcessingStatus = 'completed',
  parts: Partial<VideoData<'VideoAnalysisRecorded'>> = {},
): VideoEvent => ({
  type: 'VideoAnalysisRecorded',
  data: { status, analysis_id: 'first', faces, tracks: null, at: at(0), renumbered: [], discontinued: [], ...parts },
});

/** A face as an analysis sends it. */
export const seen = (
  id: number,
  name: string | null = null,
  personality_traits?: AnalysedFace['personality_traits'],
): AnalysedFace => ({ face_id: faceId(id), name, personality_traits });

/** A second analysis with these faces, completed unless said otherwise. */
export const analyse = (
  faces: ReadonlyArray<AnalysedFace>,
  parts: Partial<RecordVideoAnalysis> = {},
): RecordVideoAnalysis => ({
  type: 'RecordVideoAnalysis',
  status: 'completed',
  analysis_id: 'second',
  faces,
  tracks: null,
  alignment: null,
  at: at(9),
  ...parts,
});

/** An undo that changed nothing but what is said. */
export const changeReverted = (parts: Partial<VideoData<'VideoChangeReverted'>>): VideoEvent => ({
  type: 'VideoChangeReverted',
  data: {
    title: null,
    media_url: null,
    faces: [],
    tags: [],
    ruled_out: [],
    position: '3',
    change_id: 'c',
    run_id: null,
    cause: { kind: 'request' },
    audio: null,
    changed_since: [],
    at: at(7),
    ...parts,
  },
});

/** A completed video with these faces, which belongs to the audio `a`. */
export const completed = (...faces: ReadonlyArray<RecordedFace>): ReadonlyArray<VideoEvent> => [
  registered(),
  analysed(faces),
];

/** A completed audio with these speakers: id and name. */
export const audioWith = (...speakers: ReadonlyArray<readonly [id: number, name: string | null]>): AudioFacts => ({
  status: 'completed',
  speakers: speakers.map(([id, name]) => ({
    speaker_id: speakerId(id),
    name,
    named_by: 'analysis' as const,
    synthetic: false,
  })),
  renamed_at: null,
  renumbered_at: -1,
});

/** A change of a face; one of its name makes it what `whose` says, or else a person's what was an analysis's. */
export const change = (
  id: number,
  before: Partial<FaceAttributes>,
  after: Partial<FaceAttributes>,
  whose?: readonly [before: NamedBy, after: NamedBy],
): FaceChange => {
  const [was, is] = whose ?? ['analysis', 'person'];
  const renamed = (before.name ?? null) !== (after.name ?? null) || whose !== undefined;
  return {
    face_id: faceId(id),
    before: attributes(before),
    after: attributes(after),
    named_by: renamed ? { before: was, after: is } : null,
  };
};

/** A person's names for faces: id, name, previous name, and who gave that. */
export const renamedFaces = (
  seconds: number,
  faces: ReadonlyArray<readonly [id: number, name: string, previous: string | null, named_by?: NamedBy]>,
  cause: VideoData<'FacesRenamed'>['cause'] = { kind: 'request' },
): VideoEvent => ({
  type: 'FacesRenamed',
  data: {
    faces: faces.map(([id, name, previous_name, before = 'analysis']) => ({
      face_id: faceId(id),
      name,
      previous_name,
      named_by: { before, after: 'person' as const },
    })),
    cause,
    at: at(seconds),
  },
});

/** A person matched faces, and named these speakers: id, name and previous name. */
export const facesMatched = (
  seconds: number,
  changes: ReadonlyArray<FaceChange>,
  speakers: ReadonlyArray<readonly [id: number, name: string, previous: string | null]> = [],
): VideoEvent => ({
  type: 'FacesMatched',
  data: {
    audio_id: audioId('a'),
    changes,
    speakers: speakers.map(([id, name, previous_name]) => ({
      speaker_id: speakerId(id),
      name,
      previous_name,
      previous_named_by: 'analysis' as const,
    })),
    at: at(seconds),
  },
});

export const queued = (
  run: string,
  mode: MatchMode,
  seconds: number,
  parts: { readonly targets?: ReadonlyArray<number>; readonly supersedes?: ReadonlyArray<string> } = {},
): VideoEvent => ({
  type: 'MatchRunQueued',
  data: {
    run_id: runId(run),
    audio_id: audioId('a'),
    mode,
    target_speaker_ids: parts.targets?.map(speakerId) ?? null,
    at: at(seconds),
    supersedes: parts.supersedes?.map(runId) ?? [],
  },
});

type Origin = Omit<VideoData<'SuggestionsStored'>, 'block'>;

/** How a run is booked that answered in time with its own id, unless said otherwise. */
export const origin = (run: string, seconds: number, parts: Partial<Origin> = {}): Origin => ({
  run_id: runId(run),
  audio_id: audioId('a'),
  attribution: 'own',
  candidate_run_ids: [runId(run)],
  late_write_suspected: false,
  late: false,
  at: at(seconds),
  ...parts,
});

export const proposed = (face: number, speaker: number, accuracy = 0.9): ProposedMatch => ({
  face_id: faceId(face),
  speaker_id: speakerId(speaker),
  accuracy,
  channel: 'co_occurrence',
  evidence: { overlap: 12.5 },
});

export const recordedMatch = (face: number, speaker: number, accuracy = 0.9) => ({
  face_id: faceId(face),
  speaker_id: speakerId(speaker),
  accuracy,
});

export const block = (run: string, seconds: number, parts: Partial<SuggestionBlock> = {}): SuggestionBlock => ({
  run_id: runId(run),
  generated_at: at(seconds),
  mappings: [],
  unmatched_speakers: [],
  unmatched_faces: [],
  ...parts,
});

/** A block is stored when it was generated, by its run. */
export const stored = (data: SuggestionBlock, parts: Partial<Origin> = {}): VideoEvent => ({
  type: 'SuggestionsStored',
  data: { ...origin(data.run_id, 0, { at: data.generated_at, ...parts }), block: data },
});

export const committed = (
  run: string,
  seconds: number,
  { matches = [], replaced = [], changes = [], ...parts }: Partial<VideoData<'MatchesCommitted'>>,
): VideoEvent => ({
  type: 'MatchesCommitted',
  data: { ...origin(run, seconds, parts), matches, replaced, changes },
});

/** The run `r` fails, in commit mode unless said otherwise. */
export const runFailed = (seconds: number, parts: Partial<VideoData<'MatchRunFailed'>> = {}): VideoEvent => ({
  type: 'MatchRunFailed',
  data: {
    ...origin('r', seconds),
    mode: 'commit',
    error: 'out of memory',
    replaced: [],
    withdraws_block: false,
    ...parts,
  },
});

export const runReverted = (seconds: number, changes: ReadonlyArray<FaceChange>): VideoEvent => ({
  type: 'MatchRunReverted',
  data: { run_id: runId('r'), changes, changed_since: [], at: at(seconds) },
});

/** A video with an audio is erased. */
export const erasedVideo = {
  type: 'MediumErased',
  data: { medium: 'video', owner_id: accountId('owner'), linked: 'a', at: at(9) },
} satisfies VideoEvent;

/** A person's name for face 1. */
export const renameOfFace: VideoCommand = {
  type: 'RenameFaces',
  faces: [{ face_id: faceId(1), name: personName('Ann') }],
  at: at(10),
};

/** A face as a video holds it: of an analysis, without a name, unless said otherwise. */
export const faceOf = (id: number, parts: Partial<Face> = {}): Face => ({
  ...attributes(),
  face_id: faceId(id),
  named_by: 'analysis',
  named_at: null,
  name_origin: 'own',
  own: [],
  ...parts,
});

export const facesOf = (...all: readonly Face[]): ReadonlyMap<FaceId, Face> =>
  new Map(all.map((face) => [face.face_id, face]));

export const stale_seconds = 900;

/** Speakers 1 and 2, whose names match no face. */
export const twoSpeakers = audioWith([1, null], [2, 'SPEAKER_02']);

interface Trigger {
  readonly run?: string;
  readonly targets?: ReadonlyArray<number> | null;
  readonly audio?: AudioFacts | null;
}

/** POST speaker-face-match, or its suggestions. */
export const trigger = (
  mode: MatchMode,
  seconds: number,
  { run = 'new', targets, audio }: Trigger = {},
): QueueMatchRun => ({
  type: 'QueueMatchRun',
  run_id: runId(run),
  mode,
  target_speaker_ids: targets?.map(speakerId) ?? null,
  audio: audio === undefined ? twoSpeakers : audio,
  stale_seconds,
  at: at(seconds),
});

export const found = (...matches: ReadonlyArray<ProposedMatch>): WorkerAnswer => ({
  status: 'completed',
  matches,
  unmatched_speakers: [],
});
export const broken: WorkerAnswer = { status: 'failed', error: 'out of memory' };

/** PUT matched_speakers; a run of null is a worker that knows no run ids. */
export const writeBack = (
  run: string | null,
  seconds: number,
  answer: WorkerAnswer,
  audio: AudioFacts | null = twoSpeakers,
): ReceiveWriteBack => ({
  type: 'ReceiveWriteBack',
  run_id: run === null ? null : runId(run),
  unattributed_run_id: runId('unattributed'),
  answer,
  video_revision: null,
  audio,
  stale_seconds,
  at: at(seconds),
});
