import { isLonger } from './json-pieces.js';
import type { TagView } from '../../projections/tag-views.js';
import type { VideoRecord } from '../../projections/views.js';

/** What is longer beside the tags, in characters, is better written in pieces. */
const large = 500_000;

/** From so many tags on, their JSON is remembered, for as long as the read models remember them. */
const many = 500;

const remembered = new WeakMap<ReadonlyArray<TagView>, Uint8Array>();

const tagsAsJson = (tags: ReadonlyArray<TagView>): Uint8Array => {
  const json = remembered.get(tags) ?? Buffer.from(JSON.stringify(tags));
  remembered.set(tags, json);
  return json;
};

/** `{"tags": …, "next_cursor": null}` as JSON; null where there are too few to take the trouble. */
export const renderTags = (tags: ReadonlyArray<TagView>): Uint8Array | null =>
  tags.length < many
    ? null
    : Buffer.concat([Buffer.from('{"tags":'), tagsAsJson(tags), Buffer.from(',"next_cursor":null}')]);

/** The record as JSON; null where it has too few tags to take the trouble, or too much beside them. */
export const renderVideo = ({ tags, created_at, updated_at, ...rest }: VideoRecord): Uint8Array | null =>
  tags.length < many || isLonger(rest, large)
    ? null
    : Buffer.concat([
        Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"tags":`),
        tagsAsJson(tags),
        Buffer.from(`,${JSON.stringify({ created_at, updated_at }).slice(1)}`),
      ]);
