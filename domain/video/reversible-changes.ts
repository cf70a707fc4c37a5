import { type Edit, mergeByKey, mergeEdits, sameJson } from '../kernel/edit.js';
import type { RunId } from '../kernel/ids.js';
import type { Naming } from '../kernel/names.js';
import {
  type VideoChanges,
  type TagEdit,
  type FaceAttributes,
  type FaceChange,
  changeOfEdit,
  mergeChanges,
  mergeRuledOut,
} from './changes.js';
import type { VideoEvent } from './events.js';
import { sameTag } from '../tag-registry/contract.js';

/** Why a change of a video cannot be undone. `trigger` and `suggestions` apply only if nothing else was changed. */
export type IrreversibleVideoChange =
  | 'registration'
  | 'link'
  | 'analysis'
  | 'personality_data'
  | 'trigger'
  | 'suggestions'
  | 'failed_run';

const none: VideoChanges = { faces: [], ruled_out: [], tags: [], title: null, media_url: null };

const renamings = ({ faces }: Extract<VideoEvent, { type: 'FacesRenamed' }>['data']): ReadonlyArray<FaceChange> =>
  faces.map(({ face_id, name, previous_name, named_by }) =>
    changeOfEdit({ face_id, before: { name: previous_name }, after: { name }, named_by }),
  );

/** The reversible changes of an event. */
const contents = (event: VideoEvent): VideoChanges => {
  switch (event.type) {
    case 'FacesRenamed':
      return { ...none, faces: renamings(event.data) };
    case 'FacesMatched':
    case 'FaceUnmatched':
    case 'SpeakerWithdrawn':
    case 'MatchRunReverted':
      return { ...none, faces: event.data.changes };
    case 'LinksDecided':
      return { ...none, faces: event.data.changes, ruled_out: event.data.ruled_out };
    case 'MatchesCommitted':
      return { ...none, faces: mergeChanges(event.data.replaced, event.data.changes) };
    case 'MatchRunFailed':
      return { ...none, faces: event.data.replaced };
    case 'TagsWritten': {
      const { tags, source } = event.data;
      return {
        ...none,
        tags: tags.map(({ key, category, value, previous }) => ({
          key,
          before: previous,
          after: { value, category, source },
        })),
      };
    }
    case 'TagRemoved':
      return { ...none, tags: [{ key: event.data.key, before: event.data.previous, after: null }] };
    case 'VideoDetailsChanged':
      return { ...none, title: event.data.title, media_url: event.data.media_url };
    case 'VideoChangeReverted': {
      const { faces, ruled_out, tags, title, media_url } = event.data;
      return { faces: faces.map(changeOfEdit), ruled_out, tags, title, media_url };
    }
    default:
      return none;
  }
};

/** The reason why an event cannot be undone; null if it can. */
export const irreversibleVideoChange = (event: VideoEvent): IrreversibleVideoChange | null => {
  switch (event.type) {
    case 'VideoRegistered':
      return 'registration';
    case 'AudioAssociated':
    case 'AudioDissociated':
      return 'link';
    case 'VideoAnalysisRecorded':
    case 'SpeakersRenumbered':
      return 'analysis';
    case 'PersonalityTraitsRecorded':
      return 'personality_data';
    case 'MatchRunQueued':
      return 'trigger';
    case 'SuggestionsStored':
      return 'suggestions';
    case 'MatchRunFailed':
      return event.data.replaced.length === 0 ? 'failed_run' : null;
    default:
      return null;
  }
};

/** The run whose write-back is among these events; null if there is none. */
export const runOf = (events: ReadonlyArray<VideoEvent>): RunId | null =>
  events.flatMap((event) => (event.type === 'MatchesCommitted' ? [event.data.run_id] : [])).at(-1) ?? null;

/** Combines one field of two changes of a face. A change with equal values does not count. */
const mergeField = <F extends keyof FaceAttributes>(first: FaceChange, second: FaceChange, field: F) => {
  const edit = ({ before, after }: FaceChange): Edit<FaceAttributes[F]> | null =>
    sameJson(before[field], after[field]) ? null : { before: before[field], after: after[field] };
  return (
    mergeEdits(edit(first), edit(second), sameJson) ?? { before: second.before[field], after: second.after[field] }
  );
};

const naming = ({ before, after, named_by }: FaceChange): Edit<Naming> | null =>
  named_by === null
    ? null
    : {
        before: { name: before.name, named_by: named_by.before },
        after: { name: after.name, named_by: named_by.after },
      };

const mergeFace = (first: FaceChange, second: FaceChange): FaceChange => {
  const name = mergeEdits(naming(first), naming(second), sameJson);
  const speaker_id = mergeField(first, second, 'speaker_id');
  const accuracy = mergeField(first, second, 'accuracy');
  const personality_traits = mergeField(first, second, 'personality_traits');
  const side = (of: 'before' | 'after'): FaceAttributes => ({
    name: name === null ? null : name[of].name,
    speaker_id: speaker_id[of],
    accuracy: accuracy[of],
    personality_traits: personality_traits[of],
  });
  return {
    face_id: first.face_id,
    before: side('before'),
    after: side('after'),
    named_by: name === null ? null : { before: name.before.named_by, after: name.after.named_by },
  };
};

const mergeTag = (first: TagEdit, second: TagEdit): TagEdit => ({
  key: first.key,
  ...(mergeEdits(first, second, sameTag) ?? second),
});

/** The combined reversible changes of the events of one change, given in order. */
export const videoChangesOf = (events: ReadonlyArray<VideoEvent>): VideoChanges =>
  events.map(contents).reduce(
    (first, second) => ({
      // Field by field, since renaming events contain no other fields.
      faces: mergeByKey(first.faces, second.faces, ({ face_id }) => face_id, mergeFace),
      ruled_out: mergeRuledOut(first.ruled_out, second.ruled_out),
      tags: mergeByKey(first.tags, second.tags, ({ key }) => key, mergeTag),
      title: mergeEdits(first.title, second.title),
      media_url: mergeEdits(first.media_url, second.media_url),
    }),
    none,
  );
