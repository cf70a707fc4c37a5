import { isLonger } from './sending/json-pieces.js';
import type { TagView } from '../../projections/tag-views.js';
import type { VideoRecord } from '../../projections/views.js';

/** If the rest of a record is longer, it is sent in pieces instead, in characters. */
const maxRest = 500_000;

/** The JSON of at least this many tags is cached, for as long as the read models keep the tags in memory. */
const minCached = 500;

const cache = new WeakMap<ReadonlyArray<TagView>, Uint8Array>();

const tagsAsJson = (tags: ReadonlyArray<TagView>): Uint8Array => {
  const json = cache.get(tags) ?? Buffer.from(JSON.stringify(tags));
  cache.set(tags, json);
  return json;
};

/** `{"tags": …, "next_cursor": null}` as JSON; null for few tags, which are not cached. */
export const renderTags = (tags: ReadonlyArray<TagView>): Uint8Array | null =>
  tags.length < minCached
    ? null
    : Buffer.concat([Buffer.from('{"tags":'), tagsAsJson(tags), Buffer.from(',"next_cursor":null}')]);

/** The record as JSON; null if it has few tags, or if the rest of it is long. */
export const renderVideo = ({ tags, created_at, updated_at, ...rest }: VideoRecord): Uint8Array | null =>
  tags.length < minCached || isLonger(rest, maxRest)
    ? null
    : Buffer.concat([
        Buffer.from(`${JSON.stringify(rest).slice(0, -1)},"tags":`),
        tagsAsJson(tags),
        Buffer.from(`,${JSON.stringify({ created_at, updated_at }).slice(1)}`),
      ]);
