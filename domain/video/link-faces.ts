import { FaceId, SpeakerId, firstDuplicate } from '../kernel/ids.js';
import { type GivenName, type Naming, isBlank, isRealName } from '../kernel/names.js';
import {
  type FaceAttributes,
  type FaceChange,
  type FaceEdit,
  attributesOf,
  faceChange,
  sameMatch,
  editsToReach,
  clearRuledOut,
} from './changes.js';
import { type Face, type RegisteredVideo, nameDate, laterThanAllNames } from './state.js';
import * as E from 'fp-ts/lib/Either.js';
import type { VideoRefusal, SpeakerFacts, AudioFacts, Mapping, MatchFaces, VideoDecision } from './contract.js';
import type { RecordedMatch, VideoEvent, NamedSpeaker } from './events.js';
import type { Timestamp } from '../kernel/timestamp.js';
import { pipe } from 'fp-ts/lib/function.js';
import { refuse } from '../kernel/decider.js';

/** The facts about a matched face that decide whether its name and its speaker's agree. */
export type MatchedName = Pick<Face, 'name' | 'named_at' | 'name_origin'> & { readonly speaker_id: SpeakerId };

/** A speaker's current name. */
export interface SpeakerName extends Naming {
  readonly renamed_at: Timestamp | null;
  /** A revert restored the name. Such a name is not passed on to the face. */
  readonly name_put_back: boolean;
}

/** The name that a speaker and its matched face should both have, with the date of that name. */
export interface StandingName extends GivenName {
  readonly speaker_id: SpeakerId;
  readonly at: Timestamp;
}

export interface DivergedNames {
  /** New names of speakers that their faces do not have yet. */
  readonly for_faces: ReadonlyArray<StandingName>;
  /** Names given to both face and speaker that the speaker does not have yet. */
  readonly for_speakers: ReadonlyArray<StandingName>;
  /** Speakers with a matched face that no longer exist in the audio. */
  readonly gone: ReadonlyArray<SpeakerId>;
}

/** Whether the speaker's name wins: it is later, or it replaced the name that the face adopted. */
const isSpeakers = ({ named_at, name_origin }: MatchedName, renamed_at: Timestamp): boolean =>
  named_at === null || renamed_at > named_at || name_origin === 'adopted';

/**
 * Finds faces and renamed speakers whose names differ although one of them was passed on to the other. This happens
 * when both were changed concurrently. The later name wins. Names that an analysis gave a speaker are never passed on
 * to faces.
 */
export const divergedNames = (
  faces: Iterable<MatchedName>,
  speakers: ReadonlyMap<SpeakerId, SpeakerName>,
): DivergedNames => {
  const for_faces: Array<StandingName> = [];
  const for_speakers: Array<StandingName> = [];
  const gone: Array<SpeakerId> = [];
  for (const face of faces) {
    const { speaker_id, name, named_at } = face;
    const speaker = speakers.get(speaker_id);
    if (speaker === undefined) gone.push(speaker_id);
    else if (speaker.name === name) continue;
    else if (speaker.name !== null && speaker.renamed_at !== null && isSpeakers(face, speaker.renamed_at)) {
      if (!speaker.name_put_back)
        for_faces.push({ speaker_id, ...speakersName(speaker, speaker.name), at: speaker.renamed_at });
    } else if (face.name_origin === 'shared' && named_at !== null && name !== null)
      for_speakers.push({ speaker_id, name, named_by: 'person', at: named_at });
  }
  return { for_faces, for_speakers, gone };
};

const changed = (changes: ReadonlyArray<FaceEdit>, at: Timestamp, adopts: boolean): ReadonlyArray<MatchedName> =>
  changes.flatMap((change) => {
    const dated = nameDate(change, { at, adopts });
    const { speaker_id = null, name = null } = change.after;
    return dated === null || speaker_id === null ? [] : [{ speaker_id, name, ...dated }];
  });

/** The matched faces whose name or speaker an event changed, as they are after it. */
export const matchedNamesAfter = (event: VideoEvent): ReadonlyArray<MatchedName> => {
  switch (event.type) {
    case 'FacesMatched': {
      const { changes, speakers, at } = event.data;
      const shared = speakers.map(({ speaker_id, name }): MatchedName => ({
        speaker_id,
        name,
        named_at: at,
        name_origin: 'shared',
      }));
      const named = new Set(speakers.map(({ speaker_id }) => speaker_id));
      return [...changed(changes, at, true).filter(({ speaker_id }) => !named.has(speaker_id)), ...shared];
    }
    case 'LinksDecided':
      return changed(event.data.changes, event.data.at, true);
    case 'MatchesCommitted':
      return [
        ...changed(event.data.replaced, event.data.at, false),
        ...changed(event.data.changes, event.data.at, true),
      ];
    case 'MatchRunFailed':
      return changed(event.data.replaced, event.data.at, false);
    case 'MatchRunReverted':
    case 'SpeakerWithdrawn':
      return changed(event.data.changes, event.data.at, false);
    case 'VideoChangeReverted':
      return changed(event.data.faces, event.data.at, false);
    default:
      return [];
  }
};

/** A face and speaker to link. If `name` is null, the face keeps its name. */
export interface FaceLink {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
  readonly accuracy: number | null;
  readonly name: GivenName | null;
}

/** A speaker's name as its face takes it over. */
export const speakersName = ({ named_by }: Naming, name: string): GivenName => ({
  name,
  named_by: named_by === 'person' ? 'person' : 'speaker',
});

/** The name that a face adopts from its speaker: only if it has no name or a placeholder (section 4.1, rule 2). */
export const adoptedName = (face: Naming | undefined, speaker: Naming | undefined): GivenName | null => {
  if (face === undefined || speaker === undefined || isRealName(face.name, face.named_by)) return null;
  return speaker.name === null || isBlank(speaker.name) ? null : speakersName(speaker, speaker.name);
};

export const speakersById = ({ speakers }: AudioFacts): ReadonlyMap<SpeakerId, SpeakerFacts> =>
  new Map(speakers.map((speaker) => [speaker.speaker_id, speaker]));

/** Links in which a face adopts the name of its speaker unless another one is given. */
export const adoptingLinks = (
  faces: ReadonlyMap<FaceId, Face>,
  pairs: ReadonlyArray<Omit<FaceLink, 'name'> & Partial<FaceLink>>,
  audio: AudioFacts,
): ReadonlyArray<FaceLink> => {
  const speakers = speakersById(audio);
  return pairs.map(({ face_id, speaker_id, accuracy, name }) => ({
    face_id,
    speaker_id,
    accuracy,
    name: name ?? adoptedName(faces.get(face_id), speakers.get(speaker_id)),
  }));
};

const change = (
  face: Face,
  to: Partial<FaceAttributes>,
  { name, named_by }: Naming = face,
): ReadonlyArray<FaceChange> => {
  const before = attributesOf(face);
  const after = { ...before, ...to, name };
  if (!sameMatch(before, after)) return [faceChange(face, { ...after, personality_traits: null }, named_by)];
  return named_by === face.named_by ? [] : [faceChange(face, before, named_by)];
};

/**
 * The changes that links cause. Each linked face gets its speaker. A face outside the request that had one of these
 * speakers loses it, since a speaker has at most one face per video. A changed face loses its personality data (section
 * 4.1, rule 4), unless only who gave its name changes. Unchanged faces are not included.
 */
export const linkFaces = (
  faces: ReadonlyMap<FaceId, Face>,
  links: ReadonlyArray<FaceLink>,
): ReadonlyArray<FaceChange> => {
  const linked = new Set(links.map(({ face_id }) => face_id));
  const taken = new Set(links.map(({ speaker_id }) => speaker_id));
  const losing = [...faces.values()].filter(
    ({ face_id, speaker_id }) => speaker_id !== null && taken.has(speaker_id) && !linked.has(face_id),
  );
  return [
    ...losing.flatMap((face) => change(face, { speaker_id: null, accuracy: null })),
    ...links.flatMap(({ face_id, speaker_id, accuracy, name }) => {
      const face = faces.get(face_id);
      return face === undefined ? [] : change(face, { speaker_id, accuracy }, name ?? face);
    }),
  ];
};

/** A face id (or none) and a speaker id from a request, not validated. */
interface NamedPair {
  readonly face_id: number | null;
  readonly speaker_id: number;
}
/** Ids of an existing face (or none, if allowed) and an existing speaker. */
interface KnownPair<Named extends number | null> {
  readonly face_id: null extends Named ? FaceId | null : FaceId;
  readonly speaker_id: SpeakerId;
}

/** Checks that each face and each speaker occurs at most once. */
export const checkDistinct = (
  pairs: ReadonlyArray<NamedPair & { readonly face_id: number }>,
): E.Either<Extract<VideoRefusal, { readonly _tag: 'DuplicateFace' | 'DuplicateSpeaker' }>, void> => {
  const face_id = firstDuplicate(pairs.map((pair) => pair.face_id));
  if (face_id !== undefined) return E.left({ _tag: 'DuplicateFace', face_id });
  const speaker_id = firstDuplicate(pairs.map((pair) => pair.speaker_id));
  return speaker_id === undefined ? E.right(undefined) : E.left({ _tag: 'DuplicateSpeaker', speaker_id });
};

/** A face or a speaker does not exist. */
type UnknownInPair = Extract<VideoRefusal, { readonly _tag: 'InvalidFace' | 'InvalidSpeaker' }>;

/**
 * Checks that every face belongs to the video and every speaker to the audio. If a pair has no face, only the speaker
 * is checked.
 */
export const checkKnown = <Pair extends NamedPair>(
  pairs: ReadonlyArray<Pair>,
  faces: ReadonlyMap<FaceId, Face>,
  speakers: ReadonlyArray<SpeakerFacts>,
): E.Either<UnknownInPair, ReadonlyArray<Pair & KnownPair<Pair['face_id']>>> => {
  const heard = new Set(speakers.map(({ speaker_id }) => speaker_id));
  const isFace = (face_id: number | null): face_id is FaceId | null =>
    face_id === null || (FaceId.is(face_id) && faces.has(face_id));
  const isSpeaker = (speaker_id: number): speaker_id is SpeakerId => SpeakerId.is(speaker_id) && heard.has(speaker_id);
  const isKnown = (pair: Pair): pair is Pair & KnownPair<Pair['face_id']> =>
    isFace(pair.face_id) && isSpeaker(pair.speaker_id);
  const known = pairs.filter(isKnown);
  if (known.length === pairs.length) return E.right(known);
  const unknownFace = pairs.find(({ face_id }) => !isFace(face_id))?.face_id ?? null;
  return E.left(
    unknownFace === null
      ? { _tag: 'InvalidSpeaker', speaker_id: pairs.find(({ speaker_id }) => !isSpeaker(speaker_id))?.speaker_id ?? -1 }
      : { _tag: 'InvalidFace', face_id: unknownFace },
  );
};

/**
 * The changes of a commit-mode write-back: matches with accuracy, and the speaker's name for faces without a real one.
 */
export const commitLinks = (
  faces: ReadonlyMap<FaceId, Face>,
  matches: ReadonlyArray<RecordedMatch>,
  audio: AudioFacts,
): ReadonlyArray<FaceChange> => linkFaces(faces, adoptingLinks(faces, matches, audio));

const requestedName = ({ name }: Mapping): GivenName | null =>
  name === undefined || name === null || isBlank(name) ? null : { name, named_by: 'person' };

const namedSpeakers = (mappings: ReadonlyArray<Mapping & { readonly speaker_id: SpeakerId }>, audio: AudioFacts) => {
  const speakers = speakersById(audio);
  return mappings.flatMap((mapping) => {
    const given = requestedName(mapping);
    const { speaker_id } = mapping;
    const speaker = speakers.get(speaker_id);
    const previous = { previous_name: speaker?.name ?? null, previous_named_by: speaker?.named_by ?? 'analysis' };
    return given === null ? [] : [{ speaker_id, name: given.name, ...previous }];
  });
};

/** Whether the name is new to the speaker, or was not given by a person before. */
export const isNewSpeakerName = ({ name, previous_name, previous_named_by }: NamedSpeaker): boolean =>
  name !== previous_name || previous_named_by !== 'person';

/** PUT speaker-face-match (specification, section 4.1). Matches by people have no accuracy. */
export const matchFaces = (
  state: RegisteredVideo,
  { mappings, audio, at }: MatchFaces,
): VideoDecision<'MatchFaces'> => {
  if (mappings.length === 0) return refuse({ _tag: 'EmptyMappings' });
  const distinct = checkDistinct(mappings);
  if (E.isLeft(distinct)) return distinct;
  const { audio_id } = state;
  if (audio_id === null || audio === null) return refuse({ _tag: 'AudioMissing' });
  if (state.status !== 'completed') return refuse({ _tag: 'VideoUnprocessed', status: state.status });
  return pipe(
    checkKnown(mappings, state.faces, audio.speakers),
    E.chain((known): VideoDecision<'MatchFaces'> => {
      const links = known.map((mapping) => ({
        face_id: mapping.face_id,
        speaker_id: mapping.speaker_id,
        accuracy: null,
        name: requestedName(mapping),
      }));
      const changes = linkFaces(state.faces, adoptingLinks(state.faces, links, audio));
      const speakers = namedSpeakers(known, audio);
      const ruled_out = editsToReach(state.ruled_out, known.flatMap(clearRuledOut));
      const dated = laterThanAllNames(at, state.faces, audio);
      const matched: ReadonlyArray<VideoEvent> =
        changes.length === 0 && !speakers.some(isNewSpeakerName)
          ? []
          : [{ type: 'FacesMatched', data: { audio_id, changes, speakers, at: dated } }];
      const decided: ReadonlyArray<VideoEvent> =
        ruled_out.length === 0 ? [] : [{ type: 'LinksDecided', data: { audio_id, changes: [], ruled_out, at: dated } }];
      return E.right([...matched, ...decided]);
    }),
  );
};
