import * as t from 'io-ts';
import { editOf, inverted, sameJson } from '../kernel/edit.js';
import { nullable, JsonObject } from '../kernel/recorded-event.js';
import { TagKey, StandingTag } from '../tag-registry/contract.js';
import { FaceId, SpeakerId } from '../kernel/ids.js';
import { type NamedBy, type Naming, WhoseName } from '../kernel/names.js';

/**
 * What people ruled out, by speaker: a face, or (as null) that the speaker is visible at all. Confirmed links are not
 * kept here: they are matches without accuracy, which override these entries.
 */
export type RuledOut = ReadonlyMap<SpeakerId, ReadonlySet<FaceId | null>>;

/**
 * Whether a pair was ruled out before and after a change. Without a face: whether the speaker was ruled out as visible.
 */
export const RuledOutEdit = t.type(
  { speaker_id: SpeakerId, face_id: nullable(FaceId), before: t.boolean, after: t.boolean },
  'RuledOutEdit',
);
export type RuledOutEdit = t.TypeOf<typeof RuledOutEdit>;

export const nothingRuledOut: RuledOut = new Map();

export const isRuledOut = (ruled: RuledOut, speaker_id: SpeakerId, face_id: FaceId | null): boolean =>
  ruled.get(speaker_id)?.has(face_id) === true;

export const withRuledOut = (ruled: RuledOut, edits: ReadonlyArray<RuledOutEdit>): RuledOut => {
  if (edits.length === 0) return ruled;
  const next = new Map(ruled);
  const own = new Map<SpeakerId, Set<FaceId | null>>();
  for (const { speaker_id, face_id, after } of edits) {
    const faces = own.get(speaker_id) ?? new Set(next.get(speaker_id));
    own.set(speaker_id, faces);
    if (after) faces.add(face_id);
    else faces.delete(face_id);
    if (faces.size > 0) next.set(speaker_id, faces);
    else next.delete(speaker_id);
  }
  return next;
};

/** The edits that reach the wanted entries, without those that change nothing. */
export const editsToReach = (
  ruled: RuledOut,
  wanted: ReadonlyArray<Pick<RuledOutEdit, 'speaker_id' | 'face_id' | 'after'>>,
): ReadonlyArray<RuledOutEdit> =>
  wanted.flatMap(({ speaker_id, face_id, after }) => {
    const before = isRuledOut(ruled, speaker_id, face_id);
    return before === after ? [] : [{ speaker_id, face_id, before, after }];
  });

/** Maximum number of entries per video: they are part of its record, which is read and written as a whole. */
export const maxRuledOut = 10_000;

/** Whether edits add entries beyond the maximum. */
export const exceedsMaxRuledOut = (ruled: RuledOut, edits: ReadonlyArray<RuledOutEdit>): boolean => {
  const more = edits.reduce((sum, { after }) => sum + (after ? 1 : -1), 0);
  return more > 0 && more + [...ruled.values()].reduce((sum, { size }) => sum + size, 0) > maxRuledOut;
};

/** Drops the entries of a speaker that no longer exists. */
export const forgetRuledOutSpeaker = (ruled: RuledOut, speaker_id: SpeakerId): RuledOut =>
  ruled.has(speaker_id) ? new Map([...ruled].filter(([other]) => other !== speaker_id)) : ruled;

/** Follows faces or speakers that got other numbers; entries of those that are gone are dropped. */
export const followRuledOut = (
  ruled: RuledOut,
  followSpeaker: (speaker_id: SpeakerId) => SpeakerId | null,
  followFace: (face_id: FaceId) => FaceId | null,
): RuledOut =>
  new Map(
    [...ruled].flatMap(([earlier, ruledFaces]) => {
      const speaker_id = followSpeaker(earlier);
      const left = [...ruledFaces].flatMap((face_id) => (face_id === null ? [null] : (followFace(face_id) ?? [])));
      return speaker_id === null || left.length === 0 ? [] : [[speaker_id, new Set(left)]];
    }),
  );

/** For a link confirmed by a person: clears what ruled it out. */
export const clearRuledOut = ({
  face_id,
  speaker_id,
}: {
  readonly face_id: FaceId;
  readonly speaker_id: SpeakerId;
}) => [
  { speaker_id, face_id, after: false },
  { speaker_id, face_id: null, after: false },
];

const isAccuracy = (n: number): boolean => n >= 0 && n <= 1;

/** Probability that a match is right, in [0,1]. */
export const Accuracy = t.refinement(t.number, isAccuracy, 'Accuracy');

const attributes = {
  name: nullable(t.string),
  speaker_id: nullable(SpeakerId),
  accuracy: nullable(Accuracy),
  personality_traits: nullable(JsonObject),
};

/** The attributes of a face that matching and naming can change. */
export const FaceAttributes = t.type(attributes, 'FaceAttributes');
export type FaceAttributes = t.TypeOf<typeof FaceAttributes>;

export const FaceChange = t.type(
  {
    face_id: FaceId,
    before: FaceAttributes,
    after: FaceAttributes,
    /** Null: neither the name nor who gave it changed. */
    named_by: nullable(WhoseName),
  },
  'FaceChange',
);
export type FaceChange = t.TypeOf<typeof FaceChange>;

/**
 * A change of a face that may lack what it left alone. Without a match, or the name of a speaker, it holds nothing of
 * the audio and can be read after the audio was erased.
 */
export const FaceEdit = t.type(
  { face_id: FaceId, before: t.partial(attributes), after: t.partial(attributes), named_by: nullable(WhoseName) },
  'FaceEdit',
);
export type FaceEdit = t.TypeOf<typeof FaceEdit>;

/** A face of an analysis. What it lacks stays as it was on the face that it continues. */
export const RecordedFace = t.intersection([t.type({ face_id: FaceId }), t.partial(attributes)], 'RecordedFace');
export type RecordedFace = t.TypeOf<typeof RecordedFace>;

/** Whether two faces have the same name and match. Personality data depends on these and is not compared. */
export const sameMatch = (a: FaceAttributes, b: FaceAttributes): boolean =>
  a.name === b.name && a.speaker_id === b.speaker_id && a.accuracy === b.accuracy;

export const attributesOf = ({ name, speaker_id, accuracy, personality_traits }: FaceAttributes): FaceAttributes => ({
  name,
  speaker_id,
  accuracy,
  personality_traits,
});

/** The change of a face to new attributes. `named_by`: who gave the new name. */
export const faceChange = (
  face: FaceAttributes & Naming & { readonly face_id: FaceId },
  after: FaceAttributes,
  named_by: NamedBy = face.named_by,
): FaceChange => ({
  face_id: face.face_id,
  before: attributesOf(face),
  after: attributesOf(after),
  named_by: face.name === after.name && face.named_by === named_by ? null : { before: face.named_by, after: named_by },
});

export type FaceField = keyof FaceAttributes;
export const faceFields: ReadonlyArray<FaceField> = ['name', 'speaker_id', 'accuracy', 'personality_traits'];

/** Whether a change edited a field of its face. A name counts with who gave it. */
export const isEdited = ({ before, after, named_by }: FaceChange, field: FaceField): boolean =>
  field === 'name' ? named_by !== null : !sameJson(before[field], after[field]);

/** Some of the attributes of a face. */
export const only = (
  { name, speaker_id, accuracy, personality_traits }: FaceAttributes,
  isWanted: (field: FaceField) => boolean,
): Partial<FaceAttributes> => ({
  ...(isWanted('name') ? { name } : {}),
  ...(isWanted('speaker_id') ? { speaker_id } : {}),
  ...(isWanted('accuracy') ? { accuracy } : {}),
  ...(isWanted('personality_traits') ? { personality_traits } : {}),
});

/** A change of a match is complete; any other has only the attributes that it changed. */
export const editOfFace = (change: FaceChange): FaceEdit => {
  const edited = (field: FaceField): boolean => isEdited(change, field);
  return edited('speaker_id') || edited('accuracy')
    ? change
    : { ...change, before: only(change.before, edited), after: only(change.after, edited) };
};

const unset: FaceAttributes = { name: null, speaker_id: null, accuracy: null, personality_traits: null };

/** The change of an edit: what the edit lacks is null before and after, so it counts as unchanged. */
export const changeOfEdit = (edit: FaceEdit): FaceChange => ({
  ...edit,
  before: { ...unset, ...edit.before },
  after: { ...unset, ...edit.after },
});

/** The attributes of a face after an analysis. `known`: the face that it continues. */
export const attributesAfter = (face: RecordedFace, known: FaceAttributes = unset): FaceAttributes =>
  attributesOf({ ...known, ...face });

const mergeWhose = (first: WhoseName | null, second: WhoseName | null): WhoseName | null =>
  first === null || second === null ? (first ?? second) : { before: first.before, after: second.after };

/**
 * Combines two successive lists of changes. A face keeps its value from before the first change, unless something else
 * changed it in between.
 */
export const mergeChanges = (
  first: ReadonlyArray<FaceChange>,
  second: ReadonlyArray<FaceChange>,
): ReadonlyArray<FaceChange> => {
  const merged = new Map(first.map((change) => [change.face_id, change]));
  for (const change of second) {
    const earlier = merged.get(change.face_id);
    merged.delete(change.face_id);
    merged.set(
      change.face_id,
      earlier !== undefined && sameMatch(earlier.after, change.before)
        ? { ...change, before: earlier.before, named_by: mergeWhose(earlier.named_by, change.named_by) }
        : change,
    );
  }
  return [...merged.values()];
};

/** A face whose speaker may have got another number; without the speaker, the match ends. */
export const withSpeakerFollowed = <Face extends FaceAttributes>(
  face: Face,
  followSpeaker: (speaker_id: SpeakerId) => SpeakerId | null,
): Face => {
  if (face.speaker_id === null) return face;
  const speaker_id = followSpeaker(face.speaker_id);
  return speaker_id === null
    ? { ...face, speaker_id, accuracy: null, personality_traits: null }
    : { ...face, speaker_id };
};

/** Follows changes of faces through renumberings of faces and speakers; those of a face that is gone are dropped. */
export const followChanges = (
  changes: ReadonlyArray<FaceChange>,
  followSpeaker: (speaker_id: SpeakerId) => SpeakerId | null,
  followFace: (face_id: FaceId) => FaceId | null,
): ReadonlyArray<FaceChange> => {
  const followed = (face: FaceAttributes) => withSpeakerFollowed(face, followSpeaker);
  return changes.flatMap((change) => {
    const face_id = followFace(change.face_id);
    return face_id === null
      ? []
      : [{ ...change, face_id, before: followed(change.before), after: followed(change.after) }];
  });
};

/** A tag before and after a change; null if there was none. */
export const TagEdit = t.type({ key: TagKey, before: nullable(StandingTag), after: nullable(StandingTag) }, 'TagEdit');
export type TagEdit = t.TypeOf<typeof TagEdit>;

export const TextEdit = nullable(editOf(nullable(t.string)));

const besidesFaces = {
  ruled_out: t.readonlyArray(RuledOutEdit),
  tags: t.readonlyArray(TagEdit),
  title: TextEdit,
  media_url: TextEdit,
};

/** The reversible part of a change of a video; null for unchanged values. */
export const VideoChanges = t.type({ faces: t.readonlyArray(FaceChange), ...besidesFaces }, 'VideoChanges');
export type VideoChanges = t.TypeOf<typeof VideoChanges>;

export const isEmptyChange = ({ faces, ruled_out, tags, title, media_url }: VideoChanges): boolean =>
  faces.length + ruled_out.length + tags.length === 0 && title === null && media_url === null;

/** The changes back. */
export const invertedChanges = ({ faces, ruled_out, tags, title, media_url }: VideoChanges): VideoChanges => ({
  faces: faces.map((face) => ({ ...inverted(face), named_by: face.named_by && inverted(face.named_by) })),
  ruled_out: ruled_out.map(inverted),
  tags: tags.map(inverted),
  title: title && inverted(title),
  media_url: media_url && inverted(media_url),
});

/** What was edited of a video: of a face, only what was changed. */
export const VideoEdits = t.type({ faces: t.readonlyArray(FaceEdit), ...besidesFaces }, 'VideoEdits');
export type VideoEdits = t.TypeOf<typeof VideoEdits>;

/** A video with its title and media_url after an edit. */
export const withDetails = <Video extends { readonly title: string | null; readonly media_url: string | null }>(
  video: Video,
  { title, media_url }: Pick<VideoEdits, 'title' | 'media_url'>,
): Video => ({
  ...video,
  title: title === null ? video.title : title.after,
  media_url: media_url === null ? video.media_url : media_url.after,
});
