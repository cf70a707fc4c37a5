import * as t from 'io-ts';
import { editOf } from '../kernel/edit.js';
import { nullable } from '../kernel/recorded-event.js';
import { FaceChange, FaceEdit } from './face.js';
import { RuledOutEdit } from './ruled-out.js';
import { TagKey, StandingTag } from '../tag-registry/tag.js';

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

/** What an undo changed on a video. */
export const VideoEdits = t.type({ faces: t.readonlyArray(FaceEdit), ...besidesFaces }, 'VideoEdits');
export type VideoEdits = t.TypeOf<typeof VideoEdits>;
