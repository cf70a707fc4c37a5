import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import {
  isInFlight,
  isStale,
  type SuggestedMapping,
  SuggestionBlock,
  type ProposedMatch,
} from '../../../domain/video/write-back.js';
import type { VideoState } from '../../../domain/video/state.js';
import { nameMatchAccuracy } from '../../../domain/matching/name-channel.js';
import type { AudioFacts, Mapping, VideoCommand } from '../../../domain/video/contract.js';
import type { NamedBy } from '../../../domain/kernel/names.js';
import type { RecordedFace } from '../../../domain/video/changes.js';
import type { VideoEvent } from '../../../domain/video/events.js';
import { decided, ruling } from '../../support/link-decisions.js';
import { registeredIn } from '../../support/specification.js';
import { at, runId, speakerId, faceId } from '../../support/values.js';
import {
  broken,
  found,
  stale_seconds,
  trigger,
  twoSpeakers,
  writeBack,
  analysed,
  block,
  completed,
  face,
  proposed,
  queued,
  registered,
  stored,
  theVideo,
  audioWith,
  change,
  committed,
  recordedMatch,
} from '../../support/video-events.js';
import { shortOrLong } from '../../support/long-form.js';

const matchOf = (state: VideoState) => registeredIn(state).match;

const video = completed(face(1, 'Face 1'), face(2, 'Face 2'));
const suggested = [...video, queued('old', 'suggest', 0)];
const committing = [...video, queued('old', 'commit', 0)];

describe('section 3, row by row', () => {
  describe('POST suggestions with no run in flight', () => {
    it('queues and stamps queued_at', () => {
      const given = theVideo.given(...video);
      given.cases([trigger('suggest', 5), [queued('new', 'suggest', 5)]]);
      const state = given.after(trigger('suggest', 5));
      expect(matchOf(state)).to.deep.equal({
        status: 'queue',
        queued_at: at(5),
        mode: 'suggest',
        run_id: runId('new'),
      });
    });
    it('keeps the targets without duplicates', () =>
      theVideo
        .given(...video)
        .cases([trigger('suggest', 5, { targets: [2, 1, 2] }), [queued('new', 'suggest', 5, { targets: [2, 1] })]]));
    it('starts a new run after a completed one, even within its window', () =>
      theVideo
        .given(...suggested, stored(block('old', 10)))
        .cases([trigger('suggest', 11), [queued('new', 'suggest', 11)]]));
  });

  it('a suggest run that its worker finishes is completed or failed', () => {
    for (const [answer, status] of [
      [found(), 'completed'],
      [broken, 'failed'],
    ] as const) {
      const state = theVideo.given(...suggested).after(writeBack('old', 10, answer));
      expect(matchOf(state)).to.include({ status, queued_at: at(0), mode: 'suggest' });
    }
  });

  (['suggest', 'commit'] as const).forEach((mode) => {
    it(`${mode}: a trigger within 15 minutes of queued_at is refused`, () => {
      const refusal = { _tag: 'RunInFlight', run_id: runId('old'), queued_at: at(0) } as const;
      for (const seconds of [0, 1, 899.999, 900]) theVideo.given(...suggested).cases([trigger(mode, seconds), refusal]);
    });
    it(`${mode}: a run older than 15 minutes, or without queued_at, is treated as not in flight`, () => {
      const started = (seconds: number) => queued('new', mode, seconds, { supersedes: ['old'] });
      for (const seconds of [900.001, 100_000])
        theVideo.given(...suggested).cases([trigger(mode, seconds), [started(seconds)]]);
      theVideo.given(...committing).cases([trigger(mode, 0.001), [started(0.001)]]);
    });
  });

  describe('a commit-mode POST', () => {
    it('stores queue, and clears mode and queued_at', () => {
      const state = theVideo.given(...suggested).state();
      expect(matchOf(state).mode).to.equal('suggest');
      const after = theVideo.given(...suggested).after(trigger('commit', 1_000));
      expect(matchOf(after)).to.deep.equal({ status: 'queue', queued_at: null, mode: null, run_id: runId('new') });
      expect(isInFlight(matchOf(after), at(1_000), stale_seconds)).to.equal(false);
      expect(isStale(matchOf(after), at(1_000), stale_seconds)).to.equal(true);
    });
    it('leaves that to stand when its worker answers', () => {
      for (const answer of [found(), found(proposed(1, 1)), broken]) {
        const given = theVideo.given(...committing);
        expect(matchOf(given.after(writeBack('old', 10, answer)))).to.deep.equal(matchOf(given.state()));
      }
    });
  });

  it('only a queued run is in flight or stale', () => {
    for (const status of ['completed', 'failed', null] as const) {
      const run = { status, queued_at: at(0) };
      expect([isInFlight(run, at(1), 60), isStale(run, at(100), 60)], String(status)).to.deep.equal([false, false]);
    }
  });
});

describe('POST speaker-face-match, both modes: prerequisites (7.3)', () => {
  (['suggest', 'commit'] as const).forEach((mode) => {
    it(`${mode}: the video and its audio must exist`, () => {
      theVideo.given().cases([trigger(mode, 0), { _tag: 'UnknownVideo' }]);
      for (const given of [[registered({ audio: null }), analysed([])], video])
        theVideo.given(...given).cases([trigger(mode, 0, { audio: null }), { _tag: 'AudioMissing' }]);
    });
    it(`${mode}: targets must be the audio's, and not empty, also while a run is in flight`, () =>
      theVideo
        .given(...suggested)
        .cases(
          [trigger(mode, 0, { targets: [] }), { _tag: 'EmptyTargets' }],
          [trigger(mode, 0, { targets: [1, 7] }), { _tag: 'TargetNotInAudio', speaker_id: speakerId(7) }],
        ));
    it(`${mode}: video and audio must be completed, whatever the targets`, () => {
      const refusal = { _tag: 'MediaNotCompleted' } as const;
      const unanalysed = { ...twoSpeakers, speakers: [], status: 'queue' } as const;
      theVideo
        .given(...video)
        .cases([
          trigger(mode, 0, { targets: [7], audio: unanalysed }),
          { ...refusal, medium: 'audio', status: 'queue' },
        ]);
      for (const status of ['queue', 'processing', 'failed'] as const) {
        theVideo
          .given(registered(), analysed([], status))
          .cases([trigger(mode, 0), { ...refusal, medium: 'video', status }]);
        theVideo
          .given(...video)
          .cases([trigger(mode, 0, { audio: { ...twoSpeakers, status } }), { ...refusal, medium: 'audio', status }]);
      }
    });
  });
});

const threeFaces = theVideo.given(...completed(face(1, 'Ann'), face(2, 'Bob'), face(3, 'Face 3')));
const named = audioWith([1, 'Ann'], [2, 'Bob']);
const byNames = { attribution: 'name_channel' as const };

const byName = (id: number, speaker: number, name: string): SuggestedMapping => ({
  face_id: faceId(id),
  speaker_id: speakerId(speaker),
  name,
  accuracy: nameMatchAccuracy,
  channel: 'name',
  evidence: { equal_name: name },
});
/** The stored block: these mappings, and faces of nobody. */
const blockOf = (mappings: ReadonlyArray<SuggestedMapping>, ...unmatched: ReadonlyArray<number>) =>
  stored(block('new', 5, { mappings, unmatched_faces: unmatched.map(faceId) }), byNames);

describe('a run that names alone resolve (4.3)', () => {
  it('in suggest mode stores its block at once', () => {
    const command = trigger('suggest', 5, { audio: named });
    const answer = blockOf([byName(1, 1, 'Ann'), byName(2, 2, 'Bob')], 3);
    threeFaces.cases([command, [queued('new', 'suggest', 5), answer]]);
    expect(threeFaces.after(command)).to.deep.include({
      match: { status: 'completed', queued_at: at(5), mode: 'suggest', run_id: runId('new') },
      open_runs: [],
    });
  });

  it('in commit mode changes the faces at once, and leaves the stored status at queue', () => {
    const linked = (id: number, name: string) =>
      change(id, { name }, { name, speaker_id: speakerId(id), accuracy: nameMatchAccuracy });
    const command = trigger('commit', 5, { audio: named });
    const matches = [recordedMatch(1, 1, nameMatchAccuracy), recordedMatch(2, 2, nameMatchAccuracy)];
    const changes = [linked(1, 'Ann'), linked(2, 'Bob')];
    threeFaces.cases([command, [queued('new', 'commit', 5), committed('new', 5, { ...byNames, matches, changes })]]);
    expect(threeFaces.after(command)).to.deep.include({
      match: { status: 'queue', queued_at: null, mode: null, run_id: runId('new') },
      open_runs: [],
    });
  });

  const ann = [byName(1, 1, 'Ann')];
  const synthetic: AudioFacts = {
    ...named,
    speakers: audioWith([1, 'Ann'], [2, 'Music']).speakers.map((speaker, n) => ({ ...speaker, synthetic: n === 1 })),
  };
  threeFaces.tests({
    'is limited to its targets': [
      trigger('suggest', 5, { audio: audioWith([1, 'Ann'], [2, null]), targets: [1] }),
      [queued('new', 'suggest', 5, { targets: [1] }), blockOf(ann, 2, 3)],
    ],
    'excludes synthetic tracks': [
      trigger('suggest', 5, { audio: synthetic }),
      [queued('new', 'suggest', 5), blockOf(ann, 2, 3)],
    ],
    'waits for a worker when a synthetic track is a target': [
      trigger('suggest', 5, { audio: synthetic, targets: [1, 2] }),
      [queued('new', 'suggest', 5, { targets: [1, 2] })],
    ],
  });

  for (const [when, audio] of Object.entries({
    'one speaker has no name': audioWith([1, 'Ann'], [2, null]),
    'one name is a label': audioWith([1, 'Ann'], [2, 'Face 3']),
    "one name is nobody's on the screen": audioWith([1, 'Ann'], [2, 'Zoe']),
    'two speakers have one name': audioWith([1, 'Ann'], [2, 'Ann']),
    'there are no speakers': audioWith(),
  }))
    threeFaces.tests({
      [`waits for a worker when ${when}`]: [trigger('commit', 5, { audio }), [queued('new', 'commit', 5)]],
    });
});

/** The block that a worker's answer stores, of a worker that knows no run ids: it is believed as it is. */
const storedBlock = (
  faces: ReadonlyArray<RecordedFace>,
  audio: AudioFacts,
  matches: ReadonlyArray<ProposedMatch>,
  ...decisions: ReadonlyArray<VideoEvent>
) => {
  const given = [...completed(...faces), ...decisions, queued('r', 'suggest', 0)];
  const unmatched_speakers = [{ speaker_id: speakerId(3), reason: 'off_screen' }];
  const answer = { status: 'completed' as const, matches, unmatched_speakers };
  const events = theVideo.given(...given).events(writeBack(null, 5, answer, audio));
  const [event] = events;
  if (event?.type !== 'SuggestionsStored') throw new Error('no block');
  return { given: [...given, ...events], block: event.data.block };
};

describe('the block of a suggest run', () => {
  const named = (...names: ReadonlyArray<readonly [name: string | null, named_by?: NamedBy]>): AudioFacts => ({
    ...audioWith(),
    speakers: names.map(([name, named_by = 'analysis'], n) => ({
      speaker_id: speakerId(n + 1),
      name,
      named_by,
      synthetic: name === 'synthetic',
    })),
  });
  /** A face without a name that a person matched to the speaker with its number. */
  const confirmed = (id: number) => face(id, null, { speaker_id: speakerId(id) });

  it('names pairs by the face, or by the speaker where the face has no name', () => {
    const nameOf = (name: string | null, speaker: string | null, by: NamedBy = 'analysis') =>
      storedBlock([face(1, name)], named([speaker, by]), [proposed(1, 1)]).block.mappings[0]?.name;
    expect(nameOf('Ann', null)).to.equal('Ann');
    expect(nameOf('Ann', 'Ann')).to.equal('Ann');
    expect(nameOf('Ann', 'Speaker 1')).to.equal('Ann');
    expect(nameOf('Ann', 'Speaker 1', 'person')).to.equal(null);
    expect(nameOf('Ann', 'Bob')).to.equal(null);
    expect(nameOf('Face 1', 'Bob')).to.equal('Bob');
    expect(nameOf(null, 'Speaker 1')).to.equal('Speaker 1');
    expect(nameOf(null, ' ')).to.equal(null);
    expect(nameOf(null, null)).to.equal(null);
  });

  it('has confirmed links without accuracy, and who is left on both sides', () => {
    const faces = [
      confirmed(1),
      confirmed(2),
      face(3, null, { speaker_id: speakerId(3), accuracy: 0.4 }),
      face(4, null),
    ];
    const audio = named([null], [null], [null], [null], [null], ['synthetic']);
    const { block: found } = storedBlock(faces, audio, [proposed(1, 1)], decided([], [ruling(4, null)]));
    const { channel, evidence } = proposed(1, 1);
    const mapping = { name: null, accuracy: null, channel, evidence };
    expect(found).to.deep.equal(
      block('r', 5, {
        mappings: [
          { face_id: faceId(1), speaker_id: speakerId(1), ...mapping },
          { face_id: faceId(2), speaker_id: speakerId(2), ...mapping, evidence: { decision: 'confirmed' } },
        ],
        unmatched_speakers: [
          { speaker_id: speakerId(3), reason: 'off_screen' },
          { speaker_id: speakerId(4), reason: 'decided_not_seen' },
          { speaker_id: speakerId(5), reason: 'not_matched' },
        ],
        unmatched_faces: [faceId(3), faceId(4)],
      }),
    );
  });

  it('keeps matches that contradict a confirmed link, and leaves the link out', () => {
    const pairs = (...matches: ReadonlyArray<ProposedMatch>) =>
      storedBlock([confirmed(1), face(2, null)], named([null], [null]), matches).block.mappings.map(
        ({ face_id, speaker_id, accuracy }) => [face_id, speaker_id, accuracy],
      );
    expect(pairs(proposed(2, 1))).to.deep.equal([[2, 1, 0.9]]);
    expect(pairs(proposed(1, 2))).to.deep.equal([[1, 2, 0.9]]);
    expect(pairs(proposed(2, 2))).to.deep.equal([
      [2, 2, 0.9],
      [1, 1, null],
    ]);
    expect(storedBlock([confirmed(3)], named([null]), []).block.mappings).to.deep.equal([]);
  });
});

const names = fc.constantFrom(null, '', '  ', 'Face 1', 'SPEAKER_01', 'Ann', 'Bob', ' Cy ', 'ann');

const asBody = (block: SuggestionBlock): ReadonlyArray<Mapping> => {
  const body: unknown = JSON.parse(JSON.stringify(block));
  const decoded = SuggestionBlock.decode(body);
  if (E.isLeft(decoded)) throw new Error('no valid body');
  return decoded.right.mappings;
};

describe('the block of a suggest run, sent back unchanged', () => {
  it('commits exactly its content, whatever the names', () =>
    fc.assert(
      fc.property(
        fc.array(names, { minLength: 1, maxLength: 3 }),
        fc.array(names, { minLength: 1, maxLength: 3 }),
        (faces, speakers) => {
          const audio = audioWith(...speakers.map((name, id) => [id, name] as const));
          const pairs = faces.slice(0, speakers.length).map((_, id) => proposed(id, id));
          const seen = faces.map((name, id) => face(id, name));
          const { given, block } = storedBlock(seen, audio, pairs);
          const put: VideoCommand = { type: 'MatchFaces', mappings: asBody(block), audio, at: at(9) };
          const [event] = theVideo.given(...given).events(put);
          const renamed = new Map(
            event?.type === 'FacesMatched' ? event.data.speakers.map((one) => [one.speaker_id, one.name]) : [],
          );
          const state = registeredIn(theVideo.given(...given).after(put));
          block.mappings.forEach(({ face_id, speaker_id, name }) => {
            const after = state.faces.get(face_id);
            expect(after).to.include({ speaker_id, accuracy: null });
            const speaker = renamed.get(speaker_id) ?? speakers[speaker_id] ?? null;
            if (name === null) {
              expect(after?.name).to.equal(faces[face_id]);
              expect(speaker).to.equal(speakers[speaker_id] ?? null);
            } else expect([after?.name, speaker]).to.deep.equal([name, name]);
          });
          expect(state.faces.size).to.equal(faces.length);
        },
      ),
      { numRuns: shortOrLong(150, 500) },
    ));
});
