import { expect } from 'chai';
import * as t from 'io-ts';
import { fieldPath } from '../../../domain/kernel/field-path.js';
import { areSpeakersKnown } from '../../../domain/kernel/media.js';
import { isChangedSince, mergeIfAny, undoing } from '../../../domain/kernel/edit.js';
import {
  type Json,
  isExternalStream,
  isServerRecord,
  nullable,
  streamCategory,
  streamId,
  subjectOfStream,
  JsonObject,
} from '../../../domain/kernel/recorded-event.js';
import { firstDuplicate, FaceId, NamedId, SpeakerId, VideoId, isAddressable } from '../../../domain/kernel/ids.js';
import { Interval } from '../../../domain/kernel/interval.js';

const each = <Value>(values: ReadonlyArray<Value>, holds: (value: Value) => boolean, expected: boolean): void =>
  values.forEach((value) => expect(holds(value), JSON.stringify(value)).to.equal(expected));

describe('ids', () => {
  it('that clients choose have 1 to 128 plain characters', () => {
    each(['a', 'A-z_0.9:', 'x'.repeat(128)], VideoId.is, true);
    each(['', 'x'.repeat(129), 'a/b', 'a b', 'ä', 'a\n', ' a', 'a!'], VideoId.is, false);
  });
  it('can be a part of a path unless they are one or two dots', () => {
    each(['.', '..'], isAddressable, false);
    each(['...', 'a.', '.a'], isAddressable, true);
  });
  it('of faces and speakers are whole numbers from 0; a request may name any whole number', () => {
    for (const codec of [FaceId, SpeakerId]) {
      each([0, 1, Number.MAX_SAFE_INTEGER], codec.is, true);
      each([-1, 0.5, Number.MAX_SAFE_INTEGER + 1, Number.NaN, Infinity], codec.is, false);
    }
    each([-1, 0, 1e300], NamedId.is, true);
    each([0.5, Number.NaN, Infinity], NamedId.is, false);
  });
});

describe('streams', () => {
  it('have a category and an id, which may have hyphens', () => {
    expect([streamCategory('video-a-b'), streamId('video-a-b')]).to.deep.equal(['video', 'a-b']);
    expect([streamCategory('video'), streamCategory('-a')]).to.deep.equal(['video', '']);
  });
  it('belong to a video, an audio, a session, or nobody', () => {
    const whose = ['video', 'faceTracks', 'audio', 'speakerTurns', 'transcript', 'realtimeSession', 'account'];
    expect(whose.map((category) => subjectOfStream(`${category}-a-b`))).to.deep.equal([
      'video-a-b',
      'video-a-b',
      'audio-a-b',
      'audio-a-b',
      'audio-a-b',
      'realtimeSession-a-b',
      null,
    ]);
  });
  it('are external if others write them', () => {
    each(['$all', 'external-a'], isExternalStream, true);
    each(['video-$a', 'video-external-a', 'externals-a'], isExternalStream, false);
    each([{ type: '$metadata' }], isServerRecord, true);
    each([{ type: 'Price$' }, { type: '' }], isServerRecord, false);
  });
});

describe('intervals', () => {
  it('are finite, and do not end before they start', () => {
    each(
      [
        { start: 0, end: 0 },
        { start: 1, end: 2.5 },
      ],
      Interval.is,
      true,
    );
    const none = [
      { start: -1, end: 2 },
      { start: 2, end: 1 },
      { start: 0, end: Infinity },
      { start: Number.NaN, end: 1 },
      { start: 0, end: Number.NaN },
    ];
    each(none, Interval.is, false);
  });
});

describe('JSON objects', () => {
  const nested = (levels: number): Json => (levels === 0 ? 1 : { in: nested(levels - 1) });
  it('hold what JSON can write, 32 levels deep', () => {
    each([{}, { a: [null, true, 1, 'x', {}] }, nested(32)], JsonObject.is, true);
    const none = [nested(33), { a: Number.NaN }, { a: ['\ud800'] }, { a: undefined }, { a: [1n] }, [], null, 'x', 7];
    none.forEach((value, index) => expect(JsonObject.is(value), `${index}`).to.equal(false));
  });
});

describe('edits', () => {
  it('are undone if their value is current', () => {
    const edit = { before: 'a', after: 'b' };
    const back = { before: 'b', after: 'a' };
    expect(['b', 'a', 'c', 'b'].map((now) => undoing(now, edit))).to.deep.equal([back, null, null, back]);
    expect(['b', 'a', 'c'].map((now) => isChangedSince(now, edit))).to.deep.equal([false, false, true]);
    expect([undoing('a', { before: 'a', after: 'a' }), undoing('a', null), isChangedSince('a', null)]).to.deep.equal([
      null,
      null,
      false,
    ]);
  });
  it('of one value are combined, unless something came between', () => {
    const [first, second, other] = [
      { before: 1, after: 2 },
      { before: 2, after: 3 },
      { before: 5, after: 3 },
    ];
    expect([mergeIfAny(first, null), mergeIfAny(null, second), mergeIfAny(null, null)]).to.deep.equal([
      first,
      second,
      null,
    ]);
    expect(mergeIfAny(first, second)).to.deep.equal({ before: 1, after: 3 });
    expect(mergeIfAny(first, other)).to.deep.equal(other);
  });
});

describe('lists', () => {
  it('have a first value that is repeated, or none', () =>
    expect([firstDuplicate([1, 2, 3, 2, 1]), firstDuplicate([1, 2, 3])]).to.deep.equal([2, undefined]));
});

describe('the speakers of an audio', () => {
  it('are known once an analysis is completed or has found one', () => {
    expect(areSpeakersKnown('completed', 0)).to.equal(true);
    expect(areSpeakersKnown('processing', 1)).to.equal(true);
    expect(areSpeakersKnown('processing', 0)).to.equal(false);
  });
});

describe('codecs', () => {
  const pathsOf = (codec: t.Mixed, value: unknown): readonly string[] => {
    const decoded = codec.decode(value);
    return decoded._tag === 'Left' ? decoded.left.map(({ context }) => fieldPath(context)) : [];
  };
  it('report where a value is invalid', () => {
    const codec = t.type({ rows: t.array(t.type({ id: t.number })), '1a': t.string, a1: t.string, 12: t.string });
    const rows = Array.from({ length: 12 }, (_, id) => ({ id: id === 11 ? 'x' : id }));
    expect(pathsOf(codec, { rows, '1a': 1, a1: 1, 12: 1 })).to.have.members(['rows[11].id', '1a', 'a1', '[12]']);
    expect(pathsOf(codec, null)).to.deep.equal(['']);
    expect(pathsOf(t.array(t.number), ['x'])).to.deep.equal(['[0]']);
    const both = t.intersection([t.type({ a: t.string }), t.type({ b: t.string })]);
    expect(pathsOf(both, { a: 1, b: 'x' })).to.deep.equal(['a']);
    expect(pathsOf(nullable(t.type({ a: t.string })), { a: 1 })).to.deep.equal(['a', '']);
  });
});
