import { expect } from 'chai';
import * as t from 'io-ts';
import { type Media, createMedia, expectOk } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { bodyOf } from '../support/http-client.js';

const Interval = t.type({ start: t.number, end: t.number });
const Cursor = t.type({ next_cursor: t.union([t.string, t.null]) });
const Face = t.type({ face_id: t.number, tracks: t.array(Interval), boxes: t.unknown });
const Faces = t.intersection([Cursor, t.type({ faces: t.array(Face) })]);
const Utterance = t.intersection([Interval, t.type({ index: t.number, text: t.string })]);
const Transcript = t.intersection([Cursor, t.type({ transcript: t.array(Utterance) })]);

const seconds = (count: number) => Array.from({ length: count }, (_, n) => ({ start: n, end: n + 0.5 }));
const said = (count: number) =>
  seconds(count).map((span, n) => ({ ...span, speaker_id: (n % 3) + 1, text: `Word ${n}` }));
const boxesAt = (...times: ReadonlyArray<number>) =>
  times.map((at) => ({ at, left: 0.25, top: 0, width: 0.125, height: 1 }));

describe('evidence', () => {
  const api = useTestApi();
  const talking = [{ start: 1, end: 2, score: 0.25 }];
  const captions = [{ start: 3, end: 9, text: 'Ada Lovelace' }];
  let media: Media;
  before(async () => {
    media = await createMedia(api(), {
      faces: [
        { id: 1, tracks: seconds(2_500), talking, captions },
        { id: 2, tracks: seconds(3) },
      ],
      segments: said(40).map(({ speaker_id, start, end }) => ({ speaker_id, start, end })),
      transcript: said(30),
    });
  });

  const read = async (path: string) => expectOk(api().owner.get(path));
  const tracks = async (query: string, of = media) => bodyOf(Faces, await read(`${of.video}/tracks${query}`));
  const transcript = async (query: string, of = media) =>
    bodyOf(Transcript, await read(`${of.audio}/transcript${query}`));
  const refused = async (path: string) => expectCode(await api().owner.get(path), 400, 'bad_query');

  it('of faces is read back over pages, without repetitions, and by face and time, uncut', async () => {
    const first = await tracks('');
    expect(first.faces.map((face) => [face.face_id, face.tracks.length])).to.deep.equal([[1, 1_000]]);
    const second = await tracks(`?cursor=${first.next_cursor}`);
    const third = await tracks(`?cursor=${second.next_cursor}`);
    const all = [...first.faces, ...second.faces, ...third.faces];
    expect(all.flatMap((face) => (face.face_id === 1 ? face.tracks : []))).to.deep.equal(seconds(2_500));
    expect(third).to.deep.include({ next_cursor: null });
    expect(third.faces[0]).to.deep.include({ face_id: 1, talking, captions });
    expect(third.faces[1]).to.deep.include({ face_id: 2, tracks: seconds(3), talking: [], captions: [] });
    const found = { face_id: 1, tracks: [{ start: 3, end: 3.5 }], talking: [], captions };
    expect((await read(`${media.video}/tracks?face_id=1&from=2.5&to=4`)).body).to.deep.equal({
      faces: [found],
      next_cursor: null,
    });
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
      const { faces, next_cursor } = await tracks(query, own);
      return { next_cursor, found: faces.map(({ face_id, tracks: { length }, boxes }) => [face_id, length, boxes]) };
    };
    expect((await at('')).found).to.deep.equal([
      [1, 1, undefined],
      [3, 1, undefined],
    ]);
    expect((await at('?boxes=true&face_id=1&from=1&to=4')).found).to.deep.equal([[1, 1, boxesAt(1, 2.5)]]);
    const first = await at('?boxes=true&limit=3');
    expect(first.found).to.deep.equal([[1, 1, boxesAt(0, 1)]]);
    expect((await at(`?boxes=true&cursor=${first.next_cursor}`)).found).to.deep.equal([
      [1, 0, boxesAt(2.5, 4)],
      [2, 0, boxesAt(1, 2)],
      [3, 1, []],
    ]);
    await refused(`${own.video}/tracks?cursor=${first.next_cursor}`);
  });

  it('of speakers is read back by speaker and time, with the index of each utterance', async () => {
    const { body } = await read(`${media.audio}/segments?speaker_id=2&to=10`);
    const turns = [1, 4, 7].map((start) => ({ speaker_id: 2, start, end: start + 0.5 }));
    expect(body).to.deep.equal({ segments: turns, next_cursor: null });
    const page = await transcript('?speaker_id=3&from=4&limit=2');
    expect(page.transcript).to.deep.equal([5, 8].map((index) => ({ ...said(30)[index], index })));
    const next = await transcript(`?speaker_id=3&from=4&limit=2&cursor=${page.next_cursor}`);
    expect(next.transcript.map(({ index }) => index)).to.deep.equal([11, 14]);
  });

  it('that was not recorded is empty; cursors of other filters or an earlier analysis are refused', async () => {
    const bare = await createMedia(api(), { videoStatus: null, audioStatus: null });
    expect(await tracks('', bare)).to.deep.equal({ faces: [], next_cursor: null });
    expect((await read(`${bare.audio}/segments`)).body).to.deep.equal({ segments: [], next_cursor: null });
    const { next_cursor } = await transcript('?limit=5');
    await refused(`${media.audio}/transcript?limit=5&speaker_id=1&cursor=${next_cursor}`);
    await expectOk(api().owner.put(`/v1/audios/${media.audioId}/transcript/replace`, { transcript: said(8) }));
    await refused(`${media.audio}/transcript?limit=5&cursor=${next_cursor}`);
  });
});
