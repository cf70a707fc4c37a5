import { expect } from 'chai';
import { SuggestionBlock } from '../../domain/video/suggestion-block.js';
import { castOfAll } from '../support/e2e/cast.js';
import { audioOf, done, faceOf, mediaOf } from '../support/e2e/media.js';
import { matched, suggest, suggested, writeBack } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';

describe('suggest runs', () => {
  const cast = castOfAll();

  it('to suggest for some speakers say nothing of the others', async () => {
    const media = await mediaOf(cast());
    const run_id = await suggest(cast(), media, { target_speaker_ids: [3] });
    const candidates = [{ face_id: 2, accuracy: 0.4, matched_speaker_id: null }];
    const unmatched_speakers = [{ speaker_id: 3, reason: 'ambiguous', candidates }];
    await done(writeBack(cast(), media, { run_id, matches: [], unmatched_speakers }));
    expect((await cast().owner.get(media.suggestions)).body).to.deep.include({
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
    const media = await mediaOf(cast(), { speakers });
    await suggested(cast(), media);
    expect((await cast().owner.get(media.suggestions)).body).to.deep.include({
      unmatched_speakers: [{ speaker_id: 1, reason: 'not_matched' }],
    });
  });

  it('store a block that is a valid body of PUT speaker-face-match and commits exactly what it says', async () => {
    const media = await mediaOf(cast(), {
      speakers: [{ speaker_id: 1, name: 'Ada Lovelace' }, { speaker_id: 2, name: 'Alan Turing' }, { speaker_id: 3 }],
    });
    await suggested(cast(), media, matched(1, 1), matched(2, 3), matched(3, 2));
    const block = bodyOf(SuggestionBlock, await cast().owner.get(media.suggestions));
    expect(block.mappings.map(({ name }) => name)).to.deep.equal(['Ada Lovelace', 'Grace Hopper', 'Alan Turing']);
    await done(cast().owner.put(media.match, block));
    for (const { face_id, speaker_id, name } of block.mappings)
      expect(await faceOf(cast(), media, face_id)).to.include({ speaker_id, name });
    expect((await audioOf(cast(), media)).speakers.map(({ name }) => name)).to.deep.equal([
      'Ada Lovelace',
      'Alan Turing',
      'Grace Hopper',
    ]);
  });

  it('store a block whose mapping of two real names leaves each its own', async () => {
    const media = await mediaOf(cast());
    await suggested(cast(), media, matched(2, 1));
    const block = bodyOf(SuggestionBlock, await cast().owner.get(media.suggestions));
    expect(block.mappings).to.deep.include.members([
      { face_id: 2, speaker_id: 1, name: null, accuracy: 0.75, channel: 'co_occurrence', evidence: {} },
    ]);
    await done(cast().owner.put(media.match, block));
    expect(await faceOf(cast(), media, 2)).to.include({ name: 'Grace Hopper', speaker_id: 1 });
  });
});
