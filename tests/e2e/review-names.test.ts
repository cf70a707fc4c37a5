import { expect } from 'chai';
import * as t from 'io-ts';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, expectOk } from '../support/e2e/media.js';
import { createRecording } from '../support/e2e/naming.js';
import { bodyOf } from '../support/http-client.js';

const Name = t.intersection([
  t.type({ name: t.string, source: t.string }),
  t.partial({ quote: t.string, quote_location: t.type({ index: t.number, start: t.number, end: t.number }) }),
]);
const Page = t.type({
  questions: t.readonlyArray(
    t.intersection([
      t.type({ kind: t.string, video_id: t.string, audio_id: t.string, speaker_id: t.number, gain: t.number }),
      t.partial({ names: t.readonlyArray(Name) }),
    ]),
  ),
  next_cursor: t.union([t.string, t.null]),
});

/** The names that the embedded model finds in the sample conversation. */
describe('GET /v2/review about names', () => {
  const api = useTestApi();
  before(() => expectOk(api().admin.post('/v1/accounts/owner/credits', { amount: 100, reason: 'a test' })));

  const questionsOf = async ({ videoId }: Media, query = '&kind=name') =>
    bodyOf(Page, await api().owner.get(`/v2/review?video_id=${videoId}${query}`)).questions;
  const askedOf = async (media: Media) => (await questionsOf(media)).map(({ speaker_id }) => speaker_id);
  const inferred = async () => {
    const media = await createRecording(api());
    const body = { target_speaker_ids: [1, 2, 3] };
    await expectOk(api().owner.post(`${media.audio}/speaker-name-inference/suggestions`, body));
    return media;
  };
  const rename = (media: Media, speaker_id: number, name: string) =>
    expectOk(api().owner.put(`/v1/audios/${media.audioId}/speakers/names`, [{ speaker_id, name }]));

  it('asks about an inferred name that is not committed, with its quote', async () => {
    const media = await inferred();
    const [first, ...others] = (await questionsOf(media)).toSorted((a, b) => a.speaker_id - b.speaker_id);
    expect(first).to.deep.include({ kind: 'name', video_id: media.videoId, audio_id: media.audioId, speaker_id: 1 });
    expect(first?.names).to.deep.equal([
      {
        name: 'Ada Lovelace',
        source: 'inference',
        quote: first?.names?.[0]?.quote,
        quote_location: { index: 0, start: 0, end: 5 },
      },
    ]);
    expect(first?.names?.[0]?.quote).to.include('Ada Lovelace');
    expect(others.map(({ speaker_id }) => speaker_id)).to.deep.equal([2]);
  });

  it('stops asking once somebody named the speaker, and asks again after an undo', async () => {
    const media = await inferred();
    const answer = await rename(media, 1, 'Ada King');
    expect(await askedOf(media)).to.deep.equal([2]);
    await expectOk(api().owner.post(`${media.audio}/history/${answer.headers.get('X-Event-Position')}/revert`));
    expect(await askedOf(media)).to.have.members([1, 2]);
    await expectOk(api().owner.post(`${media.audio}/speaker-name-inference`, { target_speaker_ids: [1, 2] }));
    expect(await askedOf(media)).to.deep.equal([]);
  });

  it('asks about a name that a caption of the matched face contradicts, until a person says whose face it is', async () => {
    const media = await createRecording(api());
    await rename(media, 1, 'Ada King');
    const run = await expectOk(api().owner.post(media.suggestions, {}));
    const { run_id } = bodyOf(t.type({ run_id: t.string }), run);
    const evidence = { contradicting_caption: 'Bob Stone' };
    const matches = [{ face_id: 1, speaker_id: 1, accuracy: 0.9, evidence }];
    await expectOk(api().worker.put(media.writeBack, { run_id, matches }));
    const [question, ...others] = await questionsOf(media);
    expect(question).to.deep.include({ kind: 'name', speaker_id: 1, gain: 0.3 });
    expect(question?.names).to.deep.equal([{ name: 'Bob Stone', source: 'caption' }]);
    expect(others).to.deep.equal([]);
    expect((await questionsOf(media, '')).map(({ kind }) => kind)).to.have.members(['name', 'link', 'link', 'link']);
    expect((await questionsOf(media, '&kind=link')).map(({ kind }) => kind)).to.deep.equal(['link', 'link', 'link']);
    const rejected = { decisions: [{ speaker_id: 1, face_id: 1, verdict: 'rejected' }] };
    const answer = await expectOk(api().owner.post(`${media.match}/decisions`, rejected));
    expect(await askedOf(media)).to.deep.equal([]);
    await expectOk(api().owner.post(`${media.video}/history/${answer.headers.get('X-Event-Position')}/revert`));
    expect(await askedOf(media)).to.deep.equal([1]);
    await expectOk(api().owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: 'Ada King' }] }));
    expect(await askedOf(media)).to.deep.equal([]);
  });

  it('lists both kinds together, best first, over pages', async () => {
    const media = await inferred();
    const run = await expectOk(api().owner.post(media.suggestions, {}));
    const { run_id } = bodyOf(t.type({ run_id: t.string }), run);
    const matches = [
      { face_id: 1, speaker_id: 1, accuracy: 0.97 },
      { face_id: 2, speaker_id: 2, accuracy: 0.6 },
    ];
    await expectOk(api().worker.put(media.writeBack, { run_id, matches }));
    const whole = await questionsOf(media, '');
    expect(whole.map(({ kind, speaker_id }) => `${kind} ${speaker_id}`)).to.deep.equal([
      'link 3',
      'link 2',
      'name 1',
      'name 2',
      'link 1',
    ]);
    const paged: unknown[] = [];
    for (let cursor: string | null = ''; cursor !== null;) {
      const query: string = `?video_id=${media.videoId}&limit=2${cursor === '' ? '' : `&cursor=${cursor}`}`;
      const page: t.TypeOf<typeof Page> = bodyOf(Page, await api().owner.get(`/v2/review${query}`));
      paged.push(...page.questions);
      cursor = page.next_cursor;
    }
    expect(paged).to.deep.equal(whole);
    expect(await questionsOf(media, '&kind=link')).to.have.length(3);
  });
});
