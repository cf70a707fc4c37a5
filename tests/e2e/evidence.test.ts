import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, expectOk, createMedia } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { bodyOf } from '../support/http-client.js';

const Interval = t.type({ start: t.number, end: t.number });
const Cursor = t.type({ next_cursor: t.union([t.string, t.null]) });
const Faces = t.intersection([
  Cursor,
  t.type({
    faces: t.array(
      t.intersection([
        t.type({
          face_id: t.number,
          tracks: t.array(Interval),
          talking: t.array(t.intersection([Interval, t.type({ score: t.number })])),
          captions: t.array(t.intersection([Interval, t.type({ text: t.string })])),
        }),
        t.partial({ boxes: t.array(t.UnknownRecord) }),
      ]),
    ),
  }),
]);
const Turn = t.intersection([Interval, t.type({ speaker_id: t.number })]);
const Segments = t.intersection([Cursor, t.type({ segments: t.array(Turn) })]);
const Transcript = t.intersection([
  Cursor,
  t.type({ transcript: t.array(t.intersection([Turn, t.type({ index: t.number, text: t.string })])) }),
]);

const seconds = (count: number) => Array.from({ length: count }, (_, n) => ({ start: n, end: n + 0.5 }));
const said = (count: number) =>
  seconds(count).map((span, n) => ({ ...span, speaker_id: (n % 3) + 1, text: `Word ${n}` }));

const boxesAt = (...times: ReadonlyArray<number>) =>
  times.map((at) => ({ at, left: 0.25, top: 0, width: 0.125, height: 1 }));

describe('evidence', () => {
  const api = useTestApi();
  let media: Media;
  before(async () => {
    media = await createMedia(api(), {
      faces: [
        {
          id: 1,
          tracks: seconds(2_500),
          talking: [{ start: 1, end: 2, score: 0.25 }],
          captions: [{ start: 3, end: 9, text: 'Ada Lovelace' }],
        },
        { id: 2, tracks: seconds(3) },
      ],
      segments: said(40).map(({ speaker_id, start, end }) => ({ speaker_id, start, end })),
      transcript: said(30),
    });
  });

  const transcript = async (query: string, of = media) =>
    bodyOf(Transcript, await expectOk(api().owner.get(`${of.audio}/transcript${query}`)));
  const tracks = async (query: string) =>
    bodyOf(Faces, await expectOk(api().owner.get(`${media.video}/tracks${query}`)));

  it('of faces is read back completely over pages, without repetitions', async () => {
    const first = await tracks('');
    expect(first.faces).to.have.length(1);
    expect(first.faces[0]?.tracks).to.have.length(1_000);
    const second = await tracks(`?cursor=${first.next_cursor}`);
    const third = await tracks(`?cursor=${second.next_cursor}`);
    expect(
      [...first.faces, ...second.faces, ...third.faces].flatMap((face) => (face.face_id === 1 ? face.tracks : [])),
    ).to.deep.equal(seconds(2_500));
    expect(third.faces.map(({ face_id, talking, captions }) => ({ face_id, talking, captions }))).to.deep.equal([
      {
        face_id: 1,
        talking: [{ start: 1, end: 2, score: 0.25 }],
        captions: [{ start: 3, end: 9, text: 'Ada Lovelace' }],
      },
      { face_id: 2, talking: [], captions: [] },
    ]);
    expect(third.next_cursor).to.equal(null);
  });

  it('of a face in a time span consists of all intervals that overlap the span, uncut', async () => {
    const { faces, next_cursor } = await tracks('?face_id=1&from=2.5&to=4');
    expect(faces).to.deep.equal([
      {
        face_id: 1,
        tracks: [{ start: 3, end: 3.5 }],
        talking: [],
        captions: [{ start: 3, end: 9, text: 'Ada Lovelace' }],
      },
    ]);
    expect(next_cursor).to.equal(null);
    expect((await tracks('?face_id=9')).faces).to.deep.equal([]);
  });

  it('of faces has boxes where they are wanted, by face and time, over pages', async () => {
    const own = await createMedia(api(), {
      faces: [
        { id: 1, boxes: boxesAt(0, 1, 2.5, 4) },
        { id: 2, tracks: [], boxes: boxesAt(1, 2) },
        { id: 3, boxes: null },
      ],
    });
    const at = async (query: string) => {
      const { faces, next_cursor } = bodyOf(Faces, await expectOk(api().owner.get(`${own.video}/tracks${query}`)));
      return { next_cursor, found: faces.map(({ face_id, tracks: { length }, boxes }) => [face_id, length, boxes]) };
    };
    expect((await at('')).found).to.deep.equal([
      [1, 1, undefined],
      [3, 1, undefined],
    ]);
    expect((await at('?boxes=false')).found).to.deep.equal((await at('')).found);
    expect((await at('?boxes=true')).found).to.deep.equal([
      [1, 1, boxesAt(0, 1, 2.5, 4)],
      [2, 0, boxesAt(1, 2)],
      [3, 1, []],
    ]);
    expect((await at('?boxes=true&face_id=1&from=1&to=4')).found).to.deep.equal([[1, 1, boxesAt(1, 2.5)]]);
    expect((await at('?boxes=true&face_id=2&from=2')).found).to.deep.equal([[2, 0, boxesAt(2)]]);
    const first = await at('?boxes=true&limit=3');
    expect(first.found).to.deep.equal([[1, 1, boxesAt(0, 1)]]);
    expect((await at(`?boxes=true&cursor=${first.next_cursor}`)).found).to.deep.equal([
      [1, 0, boxesAt(2.5, 4)],
      [2, 0, boxesAt(1, 2)],
      [3, 1, []],
    ]);
    expectCode(await api().owner.get(`${own.video}/tracks?boxes=true&limit=3&cursor=x`), 400, 'bad_query');
    expectCode(await api().owner.get(`${own.video}/tracks?cursor=${first.next_cursor}`), 400, 'bad_query');
    expectCode(await api().owner.get(`${own.video}/tracks?boxes=some`), 400, 'bad_query');
    await expectOk(api().owner.delete(own.video));
    expect((await api().owner.get(`${own.video}/tracks?boxes=true`)).status).to.equal(410);
  });

  it('of speakers is read back by speaker and time, with the index of each utterance', async () => {
    const { segments } = bodyOf(
      Segments,
      await expectOk(api().owner.get(`${media.audio}/segments?speaker_id=2&to=10`)),
    );
    expect(segments.map(({ start }) => start)).to.deep.equal([1, 4, 7]);
    const page = await transcript('?speaker_id=3&from=4&limit=2');
    expect(page.transcript).to.deep.equal([5, 8].map((index) => ({ ...said(30)[index], index })));
    const next = await transcript(`?speaker_id=3&from=4&limit=2&cursor=${page.next_cursor}`);
    expect(next.transcript.map(({ index }) => index)).to.deep.equal([11, 14]);
  });

  it('that was not recorded is empty, a transcript 404', async () => {
    const bare = await createMedia(api(), { videoStatus: null, audioStatus: null });
    const { body } = await expectOk(api().owner.get(`${bare.video}/tracks`));
    expect(body).to.deep.equal({ faces: [], next_cursor: null });
    expect((await expectOk(api().owner.get(`${bare.audio}/segments`))).body).to.deep.equal({
      segments: [],
      next_cursor: null,
    });
    expectCode(await api().owner.get(`${bare.audio}/transcript`), 404, 'transcript_not_found');
    expectCode(await api().owner.get('/v2/videos/none/tracks'), 404, 'unknown_video');
  });

  it('refuses cursors of another list, other filters or an earlier analysis', async () => {
    const refused = async (path: string) => expectCode(await api().owner.get(path), 400, 'bad_query');
    const { next_cursor } = await transcript('?limit=5');
    await refused(`${media.audio}/segments?limit=5&cursor=${next_cursor}`);
    await refused(`${media.audio}/transcript?limit=5&speaker_id=1&cursor=${next_cursor}`);
    const own = await createMedia(api(), { transcript: said(9) });
    const early = await transcript('?limit=5', own);
    await expectOk(api().owner.put(`/v1/audios/${own.audioId}/transcript/replace`, { transcript: said(8) }));
    await refused(`${own.audio}/transcript?limit=5&cursor=${early.next_cursor}`);
  });
});
