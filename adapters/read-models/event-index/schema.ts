/** So many events share a block, whose times say whether any of them can be in a stretch of time. */
export const blockSize = 1_000;

/**
 * Where every event of the log is, without its content: an integer for each thing that can be asked for, each index
 * in the order of the log. `kind` is a category with a type, `actor` a key with its account; there are few of both, so
 * that a question about several of these becomes a few exact walks. Streams and requests are many: they are found by
 * their hash.
 */
export const eventIndexSchema = `CREATE TABLE event_index (
  number INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  revision INTEGER NOT NULL,
  stream_hash INTEGER NOT NULL,
  request_hash INTEGER NOT NULL,
  kind INTEGER NOT NULL,
  actor INTEGER NOT NULL,
  at INTEGER NOT NULL
) STRICT;
CREATE INDEX event_index_by_stream ON event_index (stream_hash, kind, number, actor);
CREATE INDEX event_index_by_stream_and_actor ON event_index (stream_hash, actor);
CREATE INDEX event_index_by_request ON event_index (request_hash);
CREATE INDEX event_index_by_kind ON event_index (kind);
CREATE INDEX event_index_by_actor ON event_index (actor, kind);
CREATE INDEX event_index_by_actor_alone ON event_index (actor);
CREATE TABLE event_kinds (kind INTEGER PRIMARY KEY, category TEXT NOT NULL, type TEXT NOT NULL) STRICT;
CREATE TABLE event_actors (actor INTEGER PRIMARY KEY, key_id TEXT NOT NULL, account_id TEXT NOT NULL) STRICT;
CREATE TABLE event_blocks (
  block INTEGER PRIMARY KEY,
  first_at INTEGER NOT NULL,
  last_at INTEGER NOT NULL
) STRICT;`;

/**
 * A text as a whole number of 53 bits, the same on every machine (the public-domain hash "cyrb53"). It spreads, it does
 * not protect: two texts may share a number, so whoever finds something by it compares the text itself.
 */
export const textHash = (text: string): number => {
  let [high, low] = [0xdeadbeef, 0x41c6ce57];
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    high = Math.imul(high ^ code, 2_654_435_761);
    low = Math.imul(low ^ code, 1_597_334_677);
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909);
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909);
  return 4_294_967_296 * (2_097_151 & low) + (high >>> 0);
};
