import { expect } from 'chai';
import { SuggestionBlock } from '../../domain/video/suggestion-block.js';
import { avaFaces, avaTurns, expectedOf, right } from '../adapters/import/support.js';
import { castOfAll } from '../support/e2e/cast.js';
import { type Media, done, faceOf, mediaNamed, mediaOf } from '../support/e2e/media.js';
import { commit, runOf, statusOf, suggest } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';
import { importFiles } from '../../adapters/import/import-files.js';

describe('the embedded match worker', () => {
  const cast = castOfAll({ match_worker: 'embedded' });
  const clip = mediaNamed('clip', 'clip-audio');

  /** Waits, ten seconds at most, until a run has ended; answers how. */
  const ended = async (media: Media, run_id: string, left = 200): Promise<string> => {
    const { state } = await runOf(asAdmin(), media, run_id);
    if (state !== 'in_flight' || left === 0) return state;
    await new Promise((resume) => setTimeout(resume, 50));
    return ended(media, run_id, left - 1);
  };

  before(async () => {
    const key = { url: cast().world.url(), key: cast().world.adminKey };
    right(await importFiles({ ...key, videoId: clip.videoId, audioId: clip.audioId, files: [avaFaces, avaTurns] }));
  });

  const asAdmin = () => ({ ...cast(), owner: cast().admin });

  it('finds who speaks in the shipped clip, and the block commits those links', async () => {
    const { gold } = await expectedOf('ava-avd/FaXLcSFjUI_c_01.expected.json');
    const run_id = await suggest(asAdmin(), clip);
    expect(await ended(clip, run_id)).to.equal('completed');
    expect(await statusOf(asAdmin(), clip)).to.deep.include({ speaker_face_match_status: 'completed', run_id });
    const block = bodyOf(SuggestionBlock, await cast().admin.get(clip.suggestions));
    expect(block.run_id).to.equal(run_id);
    const links = block.mappings.map(({ face_id, speaker_id }) => ({ face_id, speaker_id }));
    expect(links).to.deep.include.members(gold);
    block.mappings.forEach(({ accuracy }) => expect(accuracy).to.be.within(0, 1));
    await done(cast().admin.put(clip.match, block));
    for (const { face_id, speaker_id } of gold)
      expect(await faceOf(cast(), clip, face_id)).to.include({ speaker_id, accuracy: null });
  });

  it('commits by itself in commit mode', async () => {
    const { gold } = await expectedOf('ava-avd/FaXLcSFjUI_c_01.expected.json');
    const run_id = await commit(asAdmin(), clip);
    expect(await ended(clip, run_id)).to.equal('completed');
    for (const { face_id, speaker_id } of gold) {
      const face = await faceOf(cast(), clip, face_id);
      expect(face).to.include({ speaker_id });
      expect(face.accuracy).to.be.within(0, 1);
    }
  });

  it('answers for the targets alone', async () => {
    const { gold } = await expectedOf('ava-avd/FaXLcSFjUI_c_01.expected.json');
    const wanted = gold.slice(0, 1);
    const target_speaker_ids = wanted.map(({ speaker_id }) => speaker_id);
    const run_id = await suggest(asAdmin(), clip, { target_speaker_ids });
    expect(await ended(clip, run_id)).to.equal('completed');
    const { mappings, unmatched_speakers } = bodyOf(SuggestionBlock, await cast().admin.get(clip.suggestions));
    const mentioned = [...mappings, ...unmatched_speakers].map(({ speaker_id }) => speaker_id);
    expect(mentioned).to.deep.equal(target_speaker_ids);
  });

  it('answers runs on media without evidence, too: nobody is matched, each with a reason', async () => {
    const media = await mediaOf(cast());
    const run_id = await suggest(cast(), media);
    expect(await ended(media, run_id)).to.equal('completed');
    const block = bodyOf(SuggestionBlock, await cast().owner.get(media.suggestions));
    expect(block.mappings).to.deep.equal([]);
    expect(block.unmatched_speakers.map(({ speaker_id }) => speaker_id)).to.deep.equal([1, 2, 3]);
  });
});
