import * as t from 'io-ts';
import { editOf } from '../kernel/edit.js';
import { nullable } from '../kernel/event-codecs.js';
import { FaceChange } from './face.js';
import { RuledOutEdit } from './ruled-out.js';
import { TagEdit } from './standing-tag.js';

const TextEdit = nullable(editOf(nullable(t.string)));

/** What a change did to a video, as far as it can be undone; null for what it left alone. */
export const VideoChanges = t.type(
  {
    faces: t.readonlyArray(FaceChange),
    ruled_out: t.readonlyArray(RuledOutEdit),
    tags: t.readonlyArray(TagEdit),
    title: TextEdit,
    media_url: TextEdit,
  },
  'VideoChanges',
);
export type VideoChanges = t.TypeOf<typeof VideoChanges>;
