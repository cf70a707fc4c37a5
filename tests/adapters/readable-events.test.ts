import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { maxEventCharacters, readableEvents } from '../../adapters/event-store/new-events.js';
import type { JsonObject } from '../../domain/kernel/recorded-event.js';
import { openTemporarySqlite } from '../support/event-store/temporary-sqlite.js';

describe('the limit of an event', () => {
  const open = async () => {
    const { store, close } = await openTemporarySqlite();
    const bounded = readableEvents(store);
    const appended = async (stream: string, type: string, ...all: ReadonlyArray<JsonObject>) => {
      const events = all.map((data) => ({ id: crypto.randomUUID(), type, data, metadata: {} }));
      const outcome = await bounded.append(stream, 'no_stream', events)();
      return E.isRight(outcome) ? 'appended' : outcome.left;
    };
    return { store, close, appended };
  };
  const transcript = (text: string) => ({
    audio_id: 'a-1',
    part: 0,
    parts: 1,
    transcript_id: 't',
    utterances: [{ speaker_id: 1, start: 0, end: 1, text }],
  });

  it('refuses an append with an event above the limit, and accepts one at the limit', async () => {
    const { close, appended } = await open();
    const both = [transcript('x'), transcript('x'.repeat(maxEventCharacters))];
    expect(await appended('a-1', 'TranscriptRecorded.v1', ...both)).to.have.property('_tag', 'AppendTooLarge');
    expect(await appended('a-1', 'TranscriptRecorded.v1', transcript('x'.repeat(maxEventCharacters - 200)))).to.equal(
      'appended',
    );
    await close();
  });

  const committed = (accuracy: number | null) => ({
    run_id: 'r',
    audio_id: 'a',
    at: '2026-01-01T00:00:00.000Z',
    attribution: 'own',
    candidate_run_ids: ['r'],
    late_write_suspected: false,
    late: false,
    matches: [{ face_id: 1, speaker_id: 1, accuracy }],
    replaced: [],
    changes: [],
  });

  it('refuses an event that could not be read back, and writes nothing of the append', async () => {
    const { store, close, appended } = await open();
    const unreadable: ReadonlyArray<readonly [type: string, data: JsonObject, reason: string]> = [
      ['MatchesCommitted.v2', committed(Number.NaN), 'a number that JSON cannot write'],
      ['MatchesCommitted.v2', committed(Infinity), 'a number that JSON cannot write'],
      ['MatchesCommitted.v2', committed(1.5), 'matches/0/accuracy'],
      ['MatchesCommitted.v2', committed(null), 'matches/0/accuracy'],
      ['MatchesCommitted.v2', { run_id: 'r' }, 'the data does not fit'],
      ['NothingLikeThat.v1', {}, 'no codec'],
    ];
    for (const [type, data, reason] of unreadable) {
      const refused = await appended('video-1', type, data);
      expect(refused).to.have.property('_tag', 'AppendUnreadable');
      expect(refused).to.have.property('reason').that.includes(reason);
    }
    expect(await store.head()()).to.deep.equal(E.right(null));
    await close();
  });
});
