import { expect } from 'chai';
import { SuggestionBlock } from '../../domain/video/write-back.js';
import { useTestApi } from '../support/e2e/test-api.js';
import { expectOk, createMedia, getVideo } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { matched, getRun, getRuns, getStatus, triggerSuggest, writeBack } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('match runs', () => {
  const api = useTestApi();

  it('have no status before the first run', async () => {
    const media = await createMedia(api());
    expect(await getStatus(api(), media)).to.deep.equal({
      speaker_face_match_status: null,
      queued_at: null,
      mode: null,
      run_id: null,
      in_flight: false,
      stale: false,
    });
    expect(await getRuns(api(), media)).to.deep.equal([]);
    expectCode(await api().owner.get(media.suggestions), 404, 'no_suggestions');
  });

  it('are part of the answer only with the parameter', async () => {
    const media = await createMedia(api());
    const path = `${media.video}/statuses`;
    expect((await api().owner.get(path)).body).to.deep.equal({ status: 'completed' });
    expect((await api().owner.get(`${path}?speaker_face_match_status=false`)).body).to.deep.equal({
      status: 'completed',
    });
    for (const yes of ['True', '1'])
      expect((await api().owner.get(`${path}?speaker_face_match_status=${yes}`)).body).to.have.property('in_flight');
    const fresh = await createMedia(api(), { videoStatus: null });
    expect((await api().owner.get(`${fresh.video}/statuses`)).body).to.deep.equal({ status: 'queue' });
  });

  it('in suggest mode store a block and do not change the faces', async () => {
    const media = await createMedia(api());
    const before = (await getVideo(api(), media)).faces;
    const run_id = await triggerSuggest(api(), media);
    const { body } = await writeBack(api(), media, { run_id, matches: [matched(1, 2, 0.75)] });
    expect(body).to.deep.equal({ status: 'stored', run_id });
    expect((await getVideo(api(), media)).faces).to.deep.equal(before);
    const block = await expectOk(api().owner.get(media.suggestions));
    const { generated_at } = bodyOf(SuggestionBlock, block);
    expect(generated_at).to.match(timestamp);
    expect(block.body).to.deep.equal({
      run_id,
      generated_at,
      mappings: [
        { face_id: 1, speaker_id: 2, name: 'Alan Turing', accuracy: 0.75, channel: 'co_occurrence', evidence: {} },
      ],
      unmatched_speakers: [
        { speaker_id: 1, reason: 'not_matched' },
        { speaker_id: 3, reason: 'not_matched' },
      ],
      unmatched_faces: [2, 3],
    });
    expect((await getVideo(api(), media)).speaker_face_match.suggestions).to.deep.equal(block.body);
    expect(await getStatus(api(), media)).to.deep.include({
      speaker_face_match_status: 'completed',
      mode: 'suggest',
      run_id,
      in_flight: false,
      stale: false,
    });
    expect(await getRun(api(), media, run_id)).to.deep.include({ state: 'completed', attribution: 'own' });
  });
});
