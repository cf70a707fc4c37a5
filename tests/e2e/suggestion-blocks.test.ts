import { expect } from 'chai';
import { SuggestionBlock } from '../../domain/video/suggestion-block.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { getAudio, expectOk, getFace, createMedia } from '../support/e2e/media.js';
import { matched, runSuggest } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';

describe('suggest runs', () => {
  const api = useTestApi();

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
});
