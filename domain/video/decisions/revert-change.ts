import type { VideoDecision } from '../refusals.js';
import { valueIn } from '../../kernel/bucketed-map.js';
import { nothing, record, refuse } from '../../kernel/decider.js';
import { type Edit, verdictOn, type RecordFields, fieldsOf, isInProgress } from '../../kernel/edit.js';
import type { VideoChanges, TagEdit } from '../changes.js';
import type { AudioFacts } from '../audio-facts.js';
import type { RevertMatchRun, RevertVideoChange } from '../contract.js';
import type { VideoEvent } from '../events.js';
import { type FaceChange, editOfFace } from '../face.js';
import { laterThanAllNames } from '../faces.js';
import { touchesRenumbered } from '../renumbered-since.js';
import { restoreFaces, restoreFields } from '../restore-faces.js';
import { exceedsMaxRuledOut, maxRuledOut, revertRuledOutEdits, invertRuledOutEdits } from '../ruled-out.js';
import { sameTag } from '../../tag-registry/tag.js';
import type { RegisteredVideo } from '../state.js';

const inverted = <Value>({ before, after }: Edit<Value>): Edit<Value> => ({ before: after, after: before });

const isEmpty = ({ faces, ruled_out, tags, title, media_url }: VideoChanges): boolean =>
  faces.length === 0 && ruled_out.length === 0 && tags.length === 0 && title === null && media_url === null;

interface Undone {
  /** The changes of the revert (from the current to the restored values). */
  readonly changes: VideoChanges;
  readonly changed_since: ReadonlyArray<RecordFields>;
}

/** Undoes a change of a video field by field (see `Verdict`), as far as the current state allows. */
const undone = (
  state: RegisteredVideo,
  { changes: made, audio, revision }: Pick<RevertVideoChange, 'changes' | 'audio' | 'revision'>,
): Undone => {
  // A request for such a change is refused. The part of a change of the audio is left out.
  const changes = touchesRenumbered(state, made, revision) ? { ...made, faces: [], ruled_out: [] } : made;
  const faces = restoreFields(state.faces, changes.faces, audio);
  const verdictOnTag = (tag: TagEdit) => verdictOn(valueIn(state.tags, tag.key) ?? null, tag, sameTag);
  const detail = (field: 'title' | 'media_url') => {
    const edit = changes[field];
    return { edit, verdict: edit === null ? 'already' : verdictOn(state[field], edit) };
  };
  const [title, media_url] = [detail('title'), detail('media_url')];
  const putBack = ({ edit, verdict }: typeof title) =>
    edit !== null && verdict === 'put_back' ? inverted(edit) : null;
  const left = [
    ...(title.verdict === 'changed_since' ? ['title'] : []),
    ...(media_url.verdict === 'changed_since' ? ['media_url'] : []),
  ];
  return {
    changes: {
      faces: faces.changes,
      ruled_out: revertRuledOutEdits(state.ruled_out, changes.ruled_out),
      tags: changes.tags
        .filter((tag) => verdictOnTag(tag) === 'put_back')
        .map((tag) => ({ key: tag.key, ...inverted(tag) })),
      title: putBack(title),
      media_url: putBack(media_url),
    },
    changed_since: [
      ...faces.changed_since,
      ...changes.tags
        .filter((tag) => verdictOnTag(tag) === 'changed_since')
        .flatMap(({ key }) => fieldsOf('tag', key, ['value'])),
      ...fieldsOf('video', state.video_id, left),
    ],
  };
};

const invertedFace = ({ face_id, before, after, named_by }: FaceChange): FaceChange => ({
  face_id,
  before: after,
  after: before,
  named_by: named_by === null ? null : inverted(named_by),
});

/** The part of a change that can be undone, in the direction of the original change. */
export const planRevert = (
  state: RegisteredVideo,
  made: VideoChanges,
  audio: AudioFacts | null,
  revision: number,
): { readonly changes: VideoChanges; readonly changed_since: ReadonlyArray<RecordFields> } => {
  const { changes, changed_since } = undone(state, { changes: made, audio, revision });
  const { faces, ruled_out, tags, title, media_url } = changes;
  return {
    changes: {
      faces: faces.map(invertedFace),
      ruled_out: invertRuledOutEdits(ruled_out),
      tags: tags.map((tag) => ({ key: tag.key, ...inverted(tag) })),
      title: title === null ? null : inverted(title),
      media_url: media_url === null ? null : inverted(media_url),
    },
    changed_since,
  };
};

/** Undoes a change of the video, and passes the audio's part on (contract, Undo). */
export const revertChange = (
  state: RegisteredVideo,
  command: RevertVideoChange,
): VideoDecision<'RevertVideoChange'> => {
  const { position, change_id, run_id, cause, other, at } = command;
  if (cause.kind === 'request' && touchesRenumbered(state, command.changes, command.revision))
    return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since: left } = undone(state, command);
  const isOthers = other !== null && other.changes.speakers.length + Number(other.changes.title !== null) > 0;
  const isNew = isOthers && !isInProgress(state.shared_reverts, change_id, other.audio_revision);
  const changed_since = [...left, ...(other?.changed_since ?? [])];
  if (isEmpty(changes) && !isNew)
    return cause.kind === 'request' ? refuse({ _tag: 'NothingToRevert', changed_since }) : nothing;
  if (cause.kind === 'request' && exceedsMaxRuledOut(state.ruled_out, changes.ruled_out))
    return refuse({ _tag: 'TooManyDecisions', most: maxRuledOut });
  const audio = isNew
    ? { audio_id: other.audio_id, audio_revision: other.audio_revision, changes: other.changes }
    : null;
  return record<VideoEvent>({
    type: 'VideoChangeReverted',
    data: {
      ...changes,
      faces: changes.faces.map(editOfFace),
      position,
      change_id,
      run_id,
      cause,
      audio,
      changed_since,
      at: laterThanAllNames(at, state.faces, command.audio),
    },
  });
};

/** POST match-runs/{run_id}/revert: undoes the changes of a run face by face. */
export const revertRun = (
  state: RegisteredVideo,
  { run_id, changes: made, revision, audio, at }: RevertMatchRun,
): VideoDecision<'RevertMatchRun'> => {
  if (touchesRenumbered(state, { faces: made, ruled_out: [] }, revision))
    return refuse({ _tag: 'NotRevertible', reason: 'renumbered' });
  const { changes, changed_since } = restoreFaces(state.faces, made, audio);
  return changes.length === 0
    ? refuse({
        _tag: 'NothingToRevert',
        changed_since: changed_since.map((id) => ({ record: 'face' as const, id, fields: [] })),
      })
    : record<VideoEvent>({
        type: 'MatchRunReverted',
        data: { run_id, changes, changed_since, at: laterThanAllNames(at, state.faces, audio) },
      });
};
