import type { Erased } from '../kernel/erased.js';
import type { FaceId, RunId, SpeakerId } from '../kernel/ids.js';
import type { Chunks, ProcessingStatus } from '../kernel/media.js';
import { type Timestamp, laterThan } from '../kernel/timestamp.js';
import { type RenumberedAt, type Renumbering, followIds, isTouched, renumberedAfter } from '../kernel/renumbering.js';
import type { TagKey, StandingTag } from '../tag-registry/contract.js';
import { type NamedBy, type Naming, generatedFaceLabel, isRealName } from '../kernel/names.js';
import type { MatchMode, VideoEvent } from './events.js';
import type { StoredRun } from './write-back.js';
import type { DataIn } from '../kernel/recorded-event.js';
import {
  type FaceAttributes,
  type FaceChange,
  type RuledOut,
  type FaceEdit,
  type VideoChanges,
  faceChange,
} from './changes.js';
import type { AudioFacts } from './contract.js';

/** Names given by a person or by the video's own analysis, not taken from a speaker; the newest last. */
type OwnNames = ReadonlyArray<Naming>;

/**
 * The relation of a face's name to its speaker's: independent (`own`, also if the speaker's name replaced it later),
 * taken from the speaker at the match (`adopted`), or given by a person to both (`shared`).
 */
export type NameOrigin = 'own' | 'adopted' | 'shared';

export interface Face extends FaceAttributes {
  readonly face_id: FaceId;
  /** Who gave the name. An analysis overwrites only names that an analysis gave. */
  readonly named_by: NamedBy;
  /** When face and speaker last got their present names; null: every renaming of the speaker is later. */
  readonly named_at: Timestamp | null;
  readonly name_origin: NameOrigin;
  /** Names that did not come from speakers. */
  readonly own: OwnNames;
}

/** A run that has not yet answered with its own id. */
export interface OpenRun {
  readonly run_id: RunId;
  readonly mode: MatchMode;
  readonly target_speaker_ids: ReadonlyArray<SpeakerId> | null;
  readonly queued_at: Timestamp;
  /** The revision of the video's trigger: the run's answer uses the ids of then. */
  readonly revision: number;
  /** A newer trigger replaced it. It may still send write-backs without a run id. */
  readonly superseded: boolean;
  /** A write-back without run id was attributed to it. */
  readonly assumed: { readonly changes: ReadonlyArray<FaceChange> } | null;
}

/** `speaker_face_match` as stored (specification, section 3). */
export interface StoredMatch extends StoredRun {
  readonly mode: MatchMode | null;
  readonly run_id: RunId | null;
}

export const noMatch: StoredMatch = { status: null, queued_at: null, mode: null, run_id: null };

export interface RegisteredVideo extends Readonly<DataIn<VideoEvent, 'VideoRegistered'>> {
  readonly _tag: 'Registered';
  readonly status: ProcessingStatus;
  readonly analysis_id: string | null;
  readonly tracks: Chunks | null;
  /** The tracks of the last completed analysis, with which the next one is compared; null before the first. */
  readonly completed: { readonly tracks: Chunks | null } | null;
  /** The renumberings of faces by analyses of the video, and of speakers by those of the audio, oldest first. */
  readonly renumberings: {
    readonly faces: ReadonlyArray<RenumberedAt<FaceId>>;
    readonly speakers: ReadonlyArray<RenumberedAt<SpeakerId> & { readonly audio_revision: number }>;
  };
  /** When faces or speakers were last renumbered; null if never. */
  readonly renumbered_at: Timestamp | null;
  readonly faces: ReadonlyMap<FaceId, Face>;
  readonly match: StoredMatch;
  /** Oldest first. */
  readonly open_runs: ReadonlyArray<OpenRun>;
  readonly ruled_out: RuledOut;
  readonly tags: ReadonlyMap<TagKey, StandingTag>;
}

export type VideoState = { readonly _tag: 'Unregistered' } | RegisteredVideo | Erased;

/** The audio's revision of the last renumbering of speakers that the video has followed; -1 if there was none. */
export const lastFollowed = ({ renumberings }: RegisteredVideo): number =>
  renumberings.speakers.at(-1)?.audio_revision ?? -1;

/** Names the state of the faces with which a new analysis is compared. */
export const comparedState = ({ analysis_id }: RegisteredVideo): string => analysis_id ?? '';

/** Earlier names are kept for reverts. */
const maxOwnNames = 8;

export const withOwnName = (own: OwnNames, { name, named_by }: Naming): OwnNames => {
  const last = own.at(-1);
  return last?.name === name && last.named_by === named_by ? own : [...own, { name, named_by }].slice(-maxOwnNames);
};

/**
 * The own names after a change was undone: the restored one is the newest again. Those given since become the oldest:
 * still known as the face's own, but none that the face would keep without its speaker's name.
 */
const withNameBack = (own: OwnNames, { before, after }: FaceEdit): OwnNames => {
  if (before.name === after.name) return own;
  const restored = own.findLastIndex(({ name }) => name === after.name);
  const kept = restored === -1 && own.at(-1)?.name === before.name ? own.length - 1 : restored + 1;
  return [...own.slice(kept), ...own.slice(0, kept)];
};

type Faces = ReadonlyMap<FaceId, Face>;

/** Changes existing faces. Copies the map once, however many faces change. */
export const withFaces = (
  faces: Faces,
  changes: ReadonlyArray<{ readonly face_id: FaceId; readonly change: Partial<Face> }>,
): Faces => {
  const next = new Map(faces);
  for (const { face_id, change } of changes) {
    const face = next.get(face_id);
    if (face !== undefined) next.set(face_id, { ...face, ...change });
  }
  return next;
};

/** Properties of a set of changes made together. */
export interface Changing {
  readonly at: Timestamp;
  /** True for matches: a face without a real name adopts its speaker's name. */
  readonly adopts: boolean;
}

/** The date and origin of a face's name after a change; null if neither name nor speaker changed. */
export const nameDate = (
  { before, after, named_by }: FaceEdit,
  { at, adopts }: Changing,
  was: NamedBy = 'analysis',
): Pick<Face, 'named_at' | 'name_origin'> | null => {
  if (before.name === after.name && before.speaker_id === after.speaker_id) return null;
  const adopted =
    adopts && (after.speaker_id ?? null) !== null && !isRealName(before.name ?? null, named_by?.before ?? was);
  return { named_at: at, name_origin: adopted ? 'adopted' : 'own' };
};

/** Applies changes made at one time, one for each face. */
export const withChanges = (faces: Faces, changes: ReadonlyArray<FaceEdit>, changing: Changing): Faces =>
  withFaces(
    faces,
    changes.map((edit) => {
      const { named_by = 'analysis', own = [] } = faces.get(edit.face_id) ?? {};
      const change: Partial<Face> = {
        ...edit.after,
        ...nameDate(edit, changing, named_by),
        named_by: edit.named_by?.after ?? named_by,
        own: changing.adopts ? own : withNameBack(own, edit),
      };
      return { face_id: edit.face_id, change };
    }),
  );

/** Applies changes that restore earlier names and speakers, or pass matches on with their names. */
export const restore = (faces: Faces, changes: ReadonlyArray<FaceEdit>, at: Timestamp): Faces =>
  withChanges(faces, changes, { at, adopts: false });

/**
 * Applies changes for withdrawn speakers. A name that a person gave to both face and speaker stays shared when the face
 * gets another speaker.
 */
export const withHandovers = (faces: Faces, changes: ReadonlyArray<FaceChange>, at: Timestamp): Faces => {
  const shared = changes.filter(
    ({ face_id, named_by, after }) =>
      named_by === null && after.speaker_id !== null && faces.get(face_id)?.name_origin === 'shared',
  );
  return withFaces(
    restore(faces, changes, at),
    shared.map(({ face_id }) => ({ face_id, change: { name_origin: 'shared' } })),
  );
};

/** Marks the names of these speakers' faces as given by a person to both face and speaker. */
export const withSharedNames = (
  faces: Faces,
  speakers: ReadonlyArray<{ readonly speaker_id: SpeakerId }>,
  at: Timestamp,
): Faces => {
  const named = new Set<SpeakerId | null>(speakers.map(({ speaker_id }) => speaker_id));
  const shared = [...faces.values()].filter(({ speaker_id }) => named.has(speaker_id));
  return withFaces(
    faces,
    shared.map(({ face_id, name, own: before }) => {
      const own = withOwnName(before, { name, named_by: 'person' });
      return { face_id, change: { named_by: 'person', named_at: at, name_origin: 'shared', own } };
    }),
  );
};

/** Returns `at`, or a later time so that it follows the dates of all names of faces and speakers. */
export const laterThanAllNames = (at: Timestamp, faces: Faces, audio: AudioFacts | null): Timestamp =>
  laterThan(at, [audio?.renamed_at ?? null, ...[...faces.values()].map(({ named_at }) => named_at)]);

/** The change of a face that loses its speaker. */
export const withoutSpeaker = (face: Face): FaceChange =>
  faceChange(face, { ...face, speaker_id: null, accuracy: null, personality_traits: null });

/** Matches follow the voices: one with a discontinued speaker ends as by a deletion. */
export const withSpeakersFollowed = (faces: Faces, renumbering: Renumbering<SpeakerId>, at: Timestamp): Faces => {
  const follow = followIds([renumbering]);
  const moved: { readonly face_id: FaceId; readonly change: Partial<Face> }[] = [];
  const ended: FaceChange[] = [];
  for (const face of faces.values()) {
    const { face_id, speaker_id: before } = face;
    const after = before === null ? null : follow(before);
    if (after === before) continue;
    if (after === null) ended.push(withoutSpeaker(face));
    else moved.push({ face_id, change: { speaker_id: after } });
  }
  return restore(moved.length === 0 ? faces : withFaces(faces, moved), ended, at);
};

/** Own names of a face that has another number: labels generated from the number follow it. */
export const ownNamesAs = (own: OwnNames, from: FaceId, to: FaceId): OwnNames =>
  from === to
    ? own
    : own.map((one) => (one.name === generatedFaceLabel(from) ? { ...one, name: generatedFaceLabel(to) } : one));

/** Whether a change made at a revision touched faces or speakers that have other numbers since, or are gone. */
export const touchesRenumbered = (
  { renumberings }: Pick<RegisteredVideo, 'renumberings'>,
  { faces, ruled_out }: Pick<VideoChanges, 'faces' | 'ruled_out'>,
  revision: number,
): boolean => {
  const isFace = isTouched(renumberedAfter(renumberings.faces, revision));
  const isSpeaker = isTouched(renumberedAfter(renumberings.speakers, revision));
  const isLinked = ({ speaker_id }: FaceAttributes): boolean => speaker_id !== null && isSpeaker(speaker_id);
  return (
    faces.some(({ face_id, before, after }) => isFace(face_id) || isLinked(before) || isLinked(after)) ||
    ruled_out.some(({ face_id, speaker_id }) => isSpeaker(speaker_id) || (face_id !== null && isFace(face_id)))
  );
};
