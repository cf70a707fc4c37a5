import { expect } from 'chai';
import { SuggestionBlock } from '../../domain/video/suggestion-block.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAudio, expectOk, getFace, createMedia } from '../support/e2e/media.js';
import { matched, triggerSuggest, runSuggest, writeBack } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';

describe('suggest runs', () => {
  const api = useTestApi();

  it('for some speakers contain nothing about the others', async () => {
    const media = await createMedia(api());
    const run_id = await triggerSuggest(api(), media, { target_speaker_ids: [3] });
    const candidates = [{ face_id: 2, accuracy: 0.4, matched_speaker_id: null }];
    const unmatched_speakers = [{ speaker_id: 3, reason: 'ambiguous', candidates }];
    await expectOk(writeBack(api(), media, { run_id, matches: [], unmatched_speakers }));
    expect((await api().owner.get(media.suggestions)).body).to.deep.include({
      mappings: [],
      unmatched_speakers,
      unmatched_faces: [1, 2, 3],
    });
  });

  it('leave synthetic tracks out unless they are targeted', async () => {
    const speakers = [
      { speaker_id: 1, name: 'Ada Lovelace' },
      { speaker_id: 2, synthetic: true },
    ];
    const media = await createMedia(api(), { speakers });
    await runSuggest(api(), media);
    expect((await api().owner.get(media.suggestions)).body).to.deep.include({
      unmatched_speakers: [{ speaker_id: 1, reason: 'not_matched' }],
    });
  });

  it('store a block that is a valid body of PUT speaker-face-match and commits exactly what it says', async () => {
    const media = await createMedia(api(), {
      speakers: [{ speaker_id: 1, name: 'Ada Lovelace' }, { speaker_id: 2, name: 'Alan Turing' }, { speaker_id: 3 }],
    });
    await runSuggest(api(), media, matched(1, 1), matched(2, 3), matched(3, 2));
    const block = bodyOf(SuggestionBlock, await api().owner.get(media.suggestions));
    expect(block.mappings.map(({ name }) => name)).to.deep.equal(['Ada Lovelace', 'Grace Hopper', 'Alan Turing']);
    await expectOk(api().owner.put(media.match, block));
    for (const { face_id, speaker_id, name } of block.mappings)
      expect(await getFace(api(), media, face_id)).to.include({ speaker_id, name });
    expect((await getAudio(api(), media)).speakers.map(({ name }) => name)).to.deep.equal([
      'Ada Lovelace',
      'Alan Turing',
      'Grace Hopper',
    ]);
  });

  it('store a block whose mapping of two real names keeps both', async () => {
    const media = await createMedia(api());
    await runSuggest(api(), media, matched(2, 1));
    const block = bodyOf(SuggestionBlock, await api().owner.get(media.suggestions));
    expect(block.mappings).to.deep.include.members([
      { face_id: 2, speaker_id: 1, name: null, accuracy: 0.75, channel: 'co_occurrence', evidence: {} },
    ]);
    await expectOk(api().owner.put(media.match, block));
    expect(await getFace(api(), media, 2)).to.include({ name: 'Grace Hopper', speaker_id: 1 });
  });
});
