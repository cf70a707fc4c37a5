/** The number of events in a block. The time range of a block tells whether any of its events can be in a period. */
export const blockSize = 1_000;

/**
 * The place of every event in the log, without its content: one integer for each thing that can be searched for, each
 * index in the order of the log. `kind` is a category and type, `actor` a key and its account. There are few of both,
 * so that a search for several of them needs only a few exact index scans. Streams and requests are many; they are
 * found by their hash.
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
 * A hash of a text as an integer of 53 bits, the same on every machine (the public-domain hash "cyrb53"). It is not
 * cryptographic: two texts may have the same hash, so results must be compared with the text itself.
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
