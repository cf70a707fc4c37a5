import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { RecordFields } from '../../domain/kernel/edit.js';
import type { RegisteredVideo } from '../../domain/video/state.js';

/** One field of a record as text; `text` is a name without who gave it. */
interface Cell {
  readonly value: string;
  readonly text: string;
}

/** The fields of both records that can be undone, by `record id field`. */
export type Snapshot = ReadonlyMap<string, Cell>;

const plain = (value: unknown): Cell => ({ value: JSON.stringify(value), text: JSON.stringify(value) });
const named = (name: string | null, by: string): Cell => ({
  value: JSON.stringify([name, by]),
  text: JSON.stringify(name),
});

const none = plain(null);

export const snapshot = (video: RegisteredVideo, audio: RegisteredAudio): Snapshot =>
  new Map<string, Cell>([
    ...[...video.faces.values()].flatMap((face): ReadonlyArray<[string, Cell]> => [
      [`face ${face.face_id} name`, named(face.name, face.named_by)],
      [`face ${face.face_id} speaker_id`, plain(face.speaker_id)],
      [`face ${face.face_id} accuracy`, plain(face.accuracy)],
      [`face ${face.face_id} personality_traits`, plain(face.personality_traits)],
    ]),
    ...[...audio.speakers.values()].flatMap((speaker): ReadonlyArray<[string, Cell]> => [
      [`speaker ${speaker.speaker_id} name`, named(speaker.name, speaker.named_by)],
      [`speaker ${speaker.speaker_id} role`, plain(speaker.role)],
    ]),
    ...[...video.ruled_out.keys()].map((id): [string, Cell] => [`speaker ${id} decision`, plain(true)]),
    ...[...video.tags].map(([key, tag]): [string, Cell] => [`tag ${key} value`, plain(tag)]),
    [`video ${video.video_id} title`, plain(video.title)],
    [`video ${video.video_id} media_url`, plain(video.media_url)],
    [`audio ${audio.audio_id} title`, plain(audio.title)],
  ]);

const flat = (fields: ReadonlyArray<RecordFields>): ReadonlySet<string> =>
  new Set(fields.flatMap(({ record, id, fields: names }) => names.map((name) => `${record} ${id} ${name}`)));

/** Checks each field of a revert against the contract. Returns the violations. */
export const broken = (
  change: { readonly before: Snapshot; readonly after: Snapshot },
  revert: { readonly before: Snapshot; readonly after: Snapshot },
  answer: { readonly reverted: ReadonlyArray<RecordFields>; readonly changed_since: ReadonlyArray<RecordFields> },
): ReadonlyArray<string> => {
  const [reverted, since] = [flat(answer.reverted), flat(answer.changed_since)];
  const wrong = (field: string): string | null => {
    const [old, left] = [change.before.get(field) ?? none, change.after.get(field) ?? none];
    const [now, then] = [revert.before.get(field) ?? none, revert.after.get(field) ?? none];
    const isRestored = then.value === old.value && then.value !== now.value;
    if (isRestored !== reverted.has(field)) return 'the report whether it was restored is wrong';
    if (isRestored && since.has(field)) return 'it is reported twice';
    if (then.value !== now.value && !isRestored) return 'it has a value from nowhere';
    if (old.value === left.value) return isRestored || since.has(field) ? 'the change did not touch it' : null;
    if (now.value === left.value) {
      if (isRestored) return null;
      const isMatch = field.endsWith(' speaker_id');
      const isTaken = [...revert.after].some(
        ([other, { value }]) => isMatch && other !== field && other.endsWith(' speaker_id') && value === old.value,
      );
      return isTaken && since.has(field) ? null : 'it was not put back';
    }
    if (isRestored) return 'it was changed since, and is put back';
    return (now.text === old.text) === since.has(field) ? 'the report whether it was changed since is wrong' : null;
  };
  return [...new Set([...change.before.keys(), ...change.after.keys(), ...revert.after.keys()])].flatMap((field) => {
    const why = wrong(field);
    return why === null ? [] : [`${field}: ${why}`];
  });
};
