import { expect } from 'chai';
import * as t from 'io-ts';
import { SuggestionBlock } from '../../domain/video/write-back.js';
import { avaFaces, avaTurns, expectedOf, right } from '../adapters/import/support.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { type Media, expectOk, getFace, mediaPaths } from '../support/e2e/media.js';
import { triggerCommit, triggerSuggest } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';
import { importFiles } from '../../adapters/import/import-files.js';

describe('the embedded match worker', () => {
  const api = useTestApi({ match_worker: 'embedded' });

  /** The state of a run once it has ended. */
  const ended = async (media: Media, run_id: string): Promise<unknown> =>
    bodyOf(t.type({ state: t.string }), await api().admin.get(`${media.runs}/${run_id}?wait=30`)).state;

  const imported = async (media: Media): Promise<Media> => {
    const key = { url: api().world.url(), key: api().world.adminKey };
    right(await importFiles({ ...key, videoId: media.videoId, audioId: media.audioId, files: [avaFaces, avaTurns] }));
    return media;
  };
  const asAdmin = () => ({ ...api(), owner: api().admin });

  it('finds who speaks in the shipped clip: as suggestions, whose block commits those links, or committed at once', async () => {
    const { gold } = expectedOf('ava-avd/FaXLcSFjUI_c_01.expected.json');
    const clip = await imported(mediaPaths('clip', 'clip-audio'));
    expect(await ended(clip, await triggerSuggest(asAdmin(), clip))).to.equal('completed');
    const block = bodyOf(SuggestionBlock, await api().admin.get(clip.suggestions));
    const links = block.mappings.map(({ face_id, speaker_id }) => ({ face_id, speaker_id }));
    expect(links).to.deep.include.members(gold);
    await expectOk(api().admin.put(clip.match, block));
    const media = await imported(mediaPaths('committed', 'committed-audio'));
    expect(await ended(media, await triggerCommit(asAdmin(), media))).to.equal('completed');
    for (const { face_id, speaker_id } of gold) {
      expect(await getFace(api(), clip, face_id)).to.include({ speaker_id, accuracy: null });
      const face = await getFace(api(), media, face_id);
      expect(face).to.include({ speaker_id });
      expect(face.accuracy).to.be.within(0, 1);
    }
  });
});
