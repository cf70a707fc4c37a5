import { expect } from 'chai';
import * as t from 'io-ts';
import { fieldPath } from '../../../domain/kernel/field-path.js';
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
import { FaceId, NamedId, SpeakerId, VideoId, isAddressable } from '../../../domain/kernel/ids.js';
import { Interval } from '../../../domain/kernel/interval.js';
import { NameText, PersonName, generatedFaceLabel, isBlank, isRealName } from '../../../domain/kernel/names.js';
import { laterThan, readTimestamp, secondsAfter, secondsBetween } from '../../../domain/kernel/timestamp.js';
import { at } from '../../support/values.js';

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

const placeholders = [
  'Face 12',
  'face_1',
  'face7',
  'Speaker 1',
  'spk00',
  'Person B',
  'participant#4',
  'unknown',
  'Unnamed',
  'unknown speaker',
  'unknown_face_2',
  ' unknown ',
];
const names = ['Ann', 'Facey 1', 'Face One', 'my face 1', 'Speaker Ann', 'Spike 1', 'unknown soldier', 'known', '12'];

describe('names', () => {
  it('are blank without visible characters', () => {
    for (const name of [null, undefined, '', ' \t\n']) expect(isBlank(name)).to.equal(true);
    expect(isBlank(' a ')).to.equal(false);
  });
  it('are real unless they are blank or generated by a tool', () => {
    for (const id of [0, 7, 123]) expect(isRealName(generatedFaceLabel(id))).to.equal(false);
    for (const name of names) expect(isRealName(name), name).to.equal(true);
    for (const name of [...placeholders, '', ' ', null]) expect(isRealName(name), `${name}`).to.equal(false);
  });
  it('that a person gave are real, except for the label of a face', () => {
    for (const name of ['Speaker 1', 'unknown', 'face 1', 'Face 1a', 'My Face 1'])
      expect(isRealName(name, 'person'), name).to.equal(true);
    for (const name of ['Face 1', ' Face 12 ', '', null]) expect(isRealName(name, 'person'), `${name}`).to.equal(false);
    expect(isRealName('Speaker 1', 'speaker')).to.equal(false);
  });
  it('have at most 500 characters of well-formed Unicode', () => {
    for (const name of ['', 'x'.repeat(500)]) expect(NameText.is(name)).to.equal(true);
    for (const name of ['x'.repeat(501), '\ud800']) expect(NameText.is(name)).to.equal(false);
    for (const name of ['Ann', 'x'.repeat(500)]) expect(PersonName.is(name)).to.equal(true);
    for (const name of ['', ' ', 'x'.repeat(501), '\ud800', 7]) expect(PersonName.is(name)).to.equal(false);
  });
});

describe('a time as it is written', () => {
  it('is read in any offset and precision, and a date as its start in UTC', () => {
    const written = {
      '2026-01-02T03:04:05.678Z': '2026-01-02T03:04:05.678Z',
      '2026-01-02T03:04:05Z': '2026-01-02T03:04:05.000Z',
      '2026-01-02t03:04:05.6789z': '2026-01-02T03:04:05.678Z',
      '2026-01-02 03:04:05+05:30': '2026-01-01T21:34:05.000Z',
      '2026-01-02T03:04:05-00:00': '2026-01-02T03:04:05.000Z',
      '2026-01-02T03:04Z': '2026-01-02T03:04:00.000Z',
      '2026-01-02T03:04+01:00': '2026-01-02T02:04:00.000Z',
      '2024-02-29': '2024-02-29T00:00:00.000Z',
    };
    for (const [text, time] of Object.entries(written)) expect(readTimestamp(text), text).to.equal(time);
  });

  it('is invalid if there is no such time or the offset is missing', () => {
    const others = [
      '',
      '2026-02-30T00:00:00Z',
      '2025-02-29',
      '2026-13-01',
      '2026-01-01T24:00:00Z',
      '2026-01-01T00:60:00Z',
      '2026-01-01T00:00:61Z',
      '2026-01-01T00:00:00',
      '2026-01-01T00:00:00+24:00',
      '2026-01-01T00:00.5Z',
      '9999-12-31T23:59:59-01:00',
      ' 2026-01-01',
    ];
    for (const text of others) expect(readTimestamp(text), text).to.equal(null);
  });
});

describe('times', () => {
  it('are so many seconds apart', () => {
    expect([secondsBetween(at(1), at(2.5)), secondsBetween(at(2), at(1))]).to.deep.equal([1.5, -1]);
    expect([secondsAfter(at(0), 1.5), secondsAfter(at(9), -9), secondsAfter(at(0), 0.0004)]).to.deep.equal(
      [1.5, 0, 0].map(at),
    );
    expect(() => secondsAfter(at(0), 1e12)).to.throw(RangeError);
  });

  it('are later than all earlier ones', () => {
    for (const earlier of [[], [null], [null, at(3), at(4), null]]) expect(laterThan(at(5), earlier)).to.equal(at(5));
    expect(laterThan(at(5), [at(4), at(7), null, at(6)])).to.equal(at(7.001));
    expect(laterThan(at(5), [null, at(5)])).to.equal(at(5.001));
  });
});
