import { writeFileSync } from 'node:fs';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { decodeEvent, eventTypes, eventsByCategory, storedType, upcasters } from '../../domain/event-catalogue.js';
import { completedAudio, speaker, theAudio } from '../support/audio-events.js';
import { at, speakerId } from '../support/values.js';
import { eventOf, fixture, recordedLines, recordedStates, statesOf } from '../support/recorded-events.js';

const events = 'recorded-events.v1.ndjson';
const states = 'recorded-events.states.json';
const retired = 'retired-events.ndjson';

/** If set, the states are rewritten: only when types or versions are added, never to make a test pass. */
const recording = process.env['RECORD_EVENTS'] === '1';

const Named = t.readonlyArray(t.tuple([t.number, t.type({ name: t.union([t.string, t.null]), named_by: t.string })]));
const NamedStates = t.type({ 'video-v': t.type({ faces: Named }), 'audio-call': t.type({ speakers: Named }) });

const storedTypes = eventTypes.map(storedType);

/** Fields that an event may lack. */
const optional = new Set(['AudioDetached.v1 title', 'AudioDetached.v1 speakers']);

describe('recorded events', () => {
  it('exist in every current type and version', () => {
    const recorded = new Set(recordedLines(events).map(({ type }) => type));
    expect(storedTypes.filter((type) => !recorded.has(type))).to.deep.equal([]);
  });

  it('are all readable as the stored data, whether by `is` or by `decode`', () =>
    recordedLines(events).forEach(({ type, data }) => {
      const event = eventOf({ type, data });
      expect(type).to.match(new RegExp(`^${event.type}\\.v\\d+$`));
      expect(event.data).to.equal(data);
      const codec = Object.values(eventsByCategory).flatMap((codecs) => codecs[event.type] ?? [])[0];
      expect(codec?.decode(data)).to.deep.equal(E.right(data));
      expect(codec?.is(data)).to.equal(true);
    }));

  it('of every retired version are read as the current one', () => {
    const lines = recordedLines(retired);
    expect(lines.map(({ type }) => type)).to.have.members(Object.keys(upcasters));
    lines.forEach(({ type, data }) => {
      const event = eventOf({ type, data });
      const newest: unknown = JSON.parse(JSON.stringify(event.data));
      expect(storedTypes).not.to.include(type);
      expect(decodeEvent(storedType(event.type), newest)).to.deep.equal(E.right(event));
    });
  });

  it('fold to the recorded states', async () => {
    const folded = await statesOf(events);
    if (recording) writeFileSync(fixture(states), `${JSON.stringify(folded, null, 2)}\n`);
    expect(folded).to.deep.equal(recordedStates(states));
  });

  it('of the first versions fold to records that know who gave their names', async () => {
    const states = await statesOf('first-versions.ndjson');
    if (!NamedStates.is(states)) throw new Error('the states have another shape');
    expect(states['video-v'].faces.map(([, { name, named_by }]) => [name, named_by])).to.deep.equal([
      ['Bea', 'person'],
      ['Zoe', 'analysis'],
      ['Max', 'person'],
    ]);
    expect(states['audio-call'].speakers.map(([, { name, named_by }]) => [name, named_by])).to.deep.equal([
      ['Ann Example', 'person'],
      [null, 'analysis'],
    ]);
  });

  it("of the first version that give a name again make it a person's, which no analysis overwrites", () => {
    const again = { speaker_id: 1, name: 'Ann', previous_name: 'Ann', deal_person_id: null };
    const event = eventOf({
      type: 'NamesInferred.v1',
      data: {
        run_id: 'r',
        by: 'key',
        at: at(1),
        target_speaker_ids: [1],
        results: [],
        renamed: [{ ...again, previous_deal_person_id: null }],
        roles: [],
      },
    });
    if (event.type !== 'NamesInferred') throw new Error('another event');
    const state = theAudio.given(...completedAudio(speaker(1, 'Ann')), event).state();
    expect(state._tag === 'Registered' && state.speakers.get(speakerId(1))?.named_by).to.equal('person');
  });

  it('of an unknown type or version are refused with a reason', () =>
    ['FacesVanished.v1', 'FacesMatched.v0', 'FacesMatched.v99', 'FacesMatched', '', 'toString.v1', '__proto__'].forEach(
      (type) =>
        expect(decodeEvent(type, {})).to.deep.equal(
          E.left({ stored: type, reason: 'no codec for this type and version' }),
        ),
    ));

  it('with broken data are refused with a reason that says where', () => {
    const [line] = recordedLines(events).filter(({ type }) => type === 'MatchRunQueued.v1');
    const broken = decodeEvent('MatchRunQueued.v1', { ...line?.data, at: 'noon' });
    expect(broken).to.have.nested.property('left.reason', 'the data does not fit: /at');
    const worse = decodeEvent('MatchRunQueued.v1', { ...line?.data, at: 'noon', run_id: 7 });
    expect(worse).to.have.nested.property('left.reason', 'the data does not fit: /run_id, /at');
    for (const stored of ['MatchRunQueued.v1', 'ApiKeyIssued.v1', 'FacesRenamed.v1'])
      for (const data of [null, 'text', 7])
        expect(decodeEvent(stored, data)).to.deep.equal(E.left({ stored, reason: 'the data does not fit: ' }));
    expect(E.isLeft(decodeEvent('MatchRunQueued.v1', []))).to.equal(true);
  });

  it('that lack a field are refused', () =>
    recordedLines(events).forEach(({ type, data }) =>
      Object.keys(data).forEach((field) => {
        if (optional.has(`${type} ${field}`)) return;
        const { [field]: _gone, ...rest } = data;
        expect(E.isLeft(decodeEvent(type, rest)), `${type} without ${field}`).to.equal(true);
      }),
    ));
});

const upcast = (stored: string, data: Readonly<Record<string, unknown>>) => upcasters[stored]?.(data);

describe('events without records of who gave a name', () => {
  it('attribute real names to a person and all others to an analysis', () => {
    const faces = [{ previous_name: 'Ann' }, { previous_name: 'Face 1' }, { previous_name: null }];
    const after = 'person';
    expect(upcast('FacesRenamed.v1', { faces })).to.deep.equal({
      faces: [
        { previous_name: 'Ann', named_by: { before: 'person', after } },
        { previous_name: 'Face 1', named_by: { before: 'analysis', after } },
        { previous_name: null, named_by: { before: 'analysis', after } },
      ],
    });
  });

  it('change who gave a name only if the name changes', () => {
    const renamed = { before: { name: 'Face 1' }, after: { name: 'Ann' } };
    const linked = { before: { name: 'Ann' }, after: { name: 'Ann' } };
    const cleared = { before: { name: 'Ann' }, after: {} };
    expect(upcast('MatchesCommitted.v1', { changes: [renamed, linked], replaced: [cleared] })).to.deep.equal({
      changes: [
        { ...renamed, named_by: { before: 'analysis', after: 'person' } },
        { ...linked, named_by: null },
      ],
      replaced: [{ ...cleared, named_by: { before: 'person', after: 'analysis' } }],
    });
  });

  it('attribute unchanged names of speakers to a person', () => {
    const speakers = [
      { name: 'Ann', previous_name: 'Ann' },
      { name: 'Speaker 1', previous_name: 'Speaker 1' },
      { name: 'Ann', previous_name: 'Bea' },
      { name: 'Ann', previous_name: 'Speaker 1' },
    ];
    const whose = ['person', 'person', 'person', 'analysis'];
    expect(upcast('FacesMatched.v1', { speakers })).to.deep.equal({
      speakers: speakers.map((speaker, index) => ({ ...speaker, previous_named_by: whose[index] })),
    });
  });
});
