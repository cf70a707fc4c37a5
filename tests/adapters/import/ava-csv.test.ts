import { Worker } from 'node:worker_threads';
import { expect } from 'chai';
import * as fc from 'fast-check';
import { parseAvaCsv } from './parse.js';
import { asExpectedFaces, avaFaces, expectedOf, left, linesOf, right } from './support.js';

const row = (at: number | string, label = 'NOT_SPEAKING', entity = 'clip_0:1', speaker?: string): string =>
  ['clip', at, 0.1, 0.2, 0.3, 0.4, label, entity, ...(speaker === undefined ? [] : [speaker])].join(',');

const frames = (from: number, count: number, label: string, entity?: string, speaker?: string): string[] =>
  Array.from({ length: count }, (_, index) => row((from + index * 0.04).toFixed(2), label, entity, speaker));

describe('AVA-ActiveSpeaker CSV parser', () => {
  it('reads the faces of the film clip as in the ground truth', async () => {
    const { faces, summary } = right(parseAvaCsv(await linesOf(avaFaces)));
    const expected = await expectedOf('ava-avd/FaXLcSFjUI_c_01.expected.json');
    expect(faces).to.have.length(7);
    expect(asExpectedFaces(faces)).to.deep.equal(expected.faces);
    expect(summary.recording).to.equal('-FaXLcSFjUI');
    expect(summary.rows).to.equal(2750);
    expect(summary.seconds).to.be.closeTo(
      expected.faces.flatMap(({ tracks }) => tracks).reduce((sum, [start, end]) => sum + end - start, 0),
      1e-6,
    );
    expect(summary.notes).to.deep.equal([
      { count: 24, what: 'face track in the file; tracks of one speaker become one face' },
    ]);
  });

  it('makes each track a face if there is no speaker column', async () => {
    const lines = (await linesOf(avaFaces)).map((line) => line.split(',').slice(0, 8).join(','));
    const { faces } = right(parseAvaCsv(lines));
    expect(faces).to.have.length(24);
    expect(faces.every(({ tracks }) => tracks.length === 1)).to.equal(true);
    expect(faces.map(({ id }) => id)).to.deep.equal(Array.from({ length: 24 }, (_, id) => id));
  });

  it('scores 1 while the face is heard and 0 for the rest of its visible time', async () => {
    const lines = [
      ...frames(0, 25, 'NOT_SPEAKING'),
      ...frames(1, 25, 'SPEAKING_AUDIBLE'),
      ...frames(2, 25, 'SPEAKING_NOT_AUDIBLE'),
    ];
    const { faces } = right(parseAvaCsv(lines));
    expect(faces).to.deep.equal([
      {
        id: 0,
        name: null,
        tracks: [{ start: 0, end: 3 }],
        talking: [
          { start: 0, end: 1, score: 0 },
          { start: 1, end: 2, score: 1 },
          { start: 2, end: 3, score: 0 },
        ],
        boxes: [0, 1, 2].map((at) => ({ at, left: 0.1, top: 0.2, width: 0.2, height: 0.2 })),
      },
    ]);
  });

  it('joins tracks of one speaker into a face, and keeps tracks of unknown speakers separate', async () => {
    const lines = [
      ...frames(0, 10, 'SPEAKING_AUDIBLE', 'e1', '01spk00'),
      ...frames(5, 10, 'NOT_SPEAKING', 'e2', '01NA'),
      ...frames(9, 10, 'NOT_SPEAKING', 'e3', '-1'),
      ...frames(20, 3, 'NOT_SPEAKING', 'e4', '01NA'),
      ...frames(20.12, 10, 'SPEAKING_AUDIBLE', 'e4', '01spk00'),
    ];
    const { faces } = right(parseAvaCsv(lines));
    expect(faces.map(({ tracks }) => tracks)).to.deep.equal([
      [
        { start: 0, end: 0.4 },
        { start: 20, end: 20.52 },
      ],
      [{ start: 5, end: 5.4 }],
      [{ start: 9, end: 9.4 }],
    ]);
  });

  it('assigns a track with several speakers to the most frequent one, with a note', async () => {
    const lines = [
      ...frames(0, 10, 'SPEAKING_AUDIBLE', 'e1', '01spk00'),
      ...frames(2, 3, 'SPEAKING_AUDIBLE', 'e2', '01spk01'),
      ...frames(2.12, 6, 'SPEAKING_AUDIBLE', 'e2', '01spk00'),
    ];
    const { faces, summary } = right(parseAvaCsv(lines));
    expect(faces).to.have.length(1);
    expect(summary.notes).to.deep.include({
      count: 1,
      what: 'face track with several speakers: assigned to the most frequent one',
    });
  });

  it('splits a track at gaps of more than 0.25 s, and notes rows that are far apart', async () => {
    const { faces } = right(parseAvaCsv([row('1.00'), row('1.25'), row('1.51')]));
    expect(faces[0]?.tracks).to.deep.equal([
      { start: 1, end: 1.29 },
      { start: 1.51, end: 1.55 },
    ]);
    const sparse = right(parseAvaCsv([row(1), row(2), row(3)]));
    expect(sparse.summary.notes).to.deep.include({
      count: 3,
      what: 'visible interval of a single row; are rows more than 0.25 s apart?',
    });
  });

  it('accepts a header, blank lines and duplicate rows', async () => {
    const header = 'video_id,frame_timestamp,entity_box_x1,entity_box_y1,entity_box_x2,entity_box_y2,label,entity_id';
    const once = right(parseAvaCsv(frames(0, 5, 'SPEAKING_AUDIBLE')));
    const twice = right(
      parseAvaCsv([header, '', ...frames(0, 5, 'SPEAKING_AUDIBLE'), ...frames(0, 5, 'SPEAKING_AUDIBLE'), '']),
    );
    expect(twice.faces).to.deep.equal(once.faces);
    expect(twice.summary.rows).to.equal(10);
  });

  const broken: Readonly<Record<string, [row: string, message: RegExp]>> = {
    'too few columns': ['clip,1.0,0.1,0.2', /^4 columns, but an AVA-ActiveSpeaker row has 8, 9 with a speaker/],
    'other columns than before': [row(1, 'NOT_SPEAKING', 'e', 's'), /^9 columns, but the rows before have 8$/],
    'a word for a time': [row('now'), /^timestamp "now" is not a finite number$/],
    NaN: [row('nan'), /^timestamp "nan" is not a finite number$/],
    Infinity: [row('inf'), /^timestamp "inf" is not a finite number$/],
    'a negative time': [row(-0.04), /^timestamp -0.04 is negative$/],
    'a broken box': ['clip,1,0.1,x,0.3,0.4,NOT_SPEAKING,e', /^y1 "x" is not a finite number$/],
    'an unknown label': [
      row(1, 'TALKING'),
      /^label "TALKING" is not one of NOT_SPEAKING, SPEAKING_AUDIBLE, SPEAKING_NOT_AUDIBLE$/,
    ],
    'no entity': [row(1, 'NOT_SPEAKING', ''), /^the entity id is empty$/],
    'another video': [
      row(1).replace('clip', 'film'),
      /more than one recording \("clip" and "film"\); choose one with --recording$/,
    ],
  };
  Object.entries(broken).forEach(([what, [text, message]]) => {
    it(`reports the line of ${what}`, async () => {
      const error = left(parseAvaCsv([row(0), row(0.04), text, row(0.08)]));
      expect(error.line).to.equal(3);
      expect(error.message).to.match(message);
    });
  });

  it('imports the chosen one of several videos', async () => {
    const lines = [row(0), row(3).replace('clip', 'film')];
    const { faces, summary } = right(parseAvaCsv(lines, { recordings: ['film'] }));
    expect(faces[0]?.tracks).to.deep.equal([{ start: 3, end: 3.04 }]);
    expect(summary.recording).to.equal('film');
  });

  it('gives the same result for shuffled rows', async () => {
    const lines = (await linesOf(avaFaces)).filter((line) => line !== '');
    const inOrder = parseAvaCsv(lines);
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(lines, { minLength: lines.length }), async (shuffled) => {
        expect(parseAvaCsv(shuffled)).to.deep.equal(inOrder);
      }),
      { numRuns: 8 },
    );
  });

  it('keeps intervals, not rows: 600,000 rows fit in a heap of 24 MB', async () => {
    const worker = new Worker(new URL('./many-rows.js', import.meta.url), {
      resourceLimits: { maxOldGenerationSizeMb: 24, maxYoungGenerationSizeMb: 8 },
    });
    const answer: unknown = await new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
    });
    await worker.terminate();
    expect(answer).to.deep.equal({ rows: 600_000, tracks: [{ start: 0, end: 24_000 }], talking: 4800 });
  });
});
