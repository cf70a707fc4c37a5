import { expect } from 'chai';
import { SuggestionBlock } from '../../domain/video/suggestion-block.js';
import { castOfAll } from '../support/e2e/cast.js';
import { historyOf } from '../support/e2e/history.js';
import { done, faceOf, mediaOf, videoOf } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';
import { commit, matched, runOf, runsOf, statusOf, suggest, suggested, writeBack } from '../support/e2e/runs.js';
import { bodyOf } from '../support/http-client.js';

const timestamp = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

describe('match runs', () => {
  const cast = castOfAll();

  it('are answered with processing, the media and an id', async () => {
    const media = await mediaOf(cast());
    for (const path of [media.match, media.suggestions]) {
      const { body } = await done(cast().owner.post(path, { target_speaker_ids: [1, 1] }));
      expect(body).to.have.all.keys('video_id', 'audio_id', 'status', 'message', 'run_id');
      expect(body).to.include({ video_id: media.videoId, audio_id: media.audioId, status: 'processing' });
    }
  });

  it('may be triggered without a body', async () => {
    const media = await mediaOf(cast());
    await done(cast().owner.post(media.suggestions));
  });

  it('have no status before the first', async () => {
    const media = await mediaOf(cast());
    expect(await statusOf(cast(), media)).to.deep.equal({
      speaker_face_match_status: null,
      queued_at: null,
      mode: null,
      run_id: null,
      in_flight: false,
      stale: false,
    });
    expect(await runsOf(cast(), media)).to.deep.equal([]);
    expectCode(await cast().owner.get(media.suggestions), 404, 'no_suggestions');
  });

  it('are no part of the answer without the parameter', async () => {
    const media = await mediaOf(cast());
    const path = `${media.video}/statuses`;
    expect((await cast().owner.get(path)).body).to.deep.equal({ status: 'completed' });
    expect((await cast().owner.get(`${path}?speaker_face_match_status=false`)).body).to.deep.equal({
      status: 'completed',
    });
    for (const yes of ['True', '1'])
      expect((await cast().owner.get(`${path}?speaker_face_match_status=${yes}`)).body).to.have.property('in_flight');
    for (const odd of ['', 'yes', 'null']) {
      const answer = await cast().owner.get(`${path}?speaker_face_match_status=${odd}`);
      expectCode(answer, 400, 'bad_query');
      expect(answer.body).to.have.nested.property('detail.parameter', 'speaker_face_match_status');
    }
    const fresh = await mediaOf(cast(), { videoStatus: null });
    expect((await cast().owner.get(`${fresh.video}/statuses`)).body).to.deep.equal({ status: 'queue' });
  });

  it('to suggest are in flight until the worker answers', async () => {
    const media = await mediaOf(cast());
    const run_id = await suggest(cast(), media, { target_speaker_ids: [2, 1] });
    const { queued_at, ...status } = await statusOf(cast(), media);
    expect(status).to.deep.equal({
      speaker_face_match_status: 'queue',
      mode: 'suggest',
      run_id,
      in_flight: true,
      stale: false,
    });
    expect(queued_at).to.match(timestamp);
    expectCode(await cast().owner.get(media.suggestions), 404, 'match_run_in_flight');
    expect(await runOf(cast(), media, run_id)).to.deep.include({
      state: 'in_flight',
      mode: 'suggest',
      target_speaker_ids: [2, 1],
      queued_at,
      ended_at: null,
    });
  });

  it('to suggest store a block and leave the faces as they are', async () => {
    const media = await mediaOf(cast());
    const before = (await videoOf(cast(), media)).faces;
    const run_id = await suggest(cast(), media);
    const { body } = await writeBack(cast(), media, { run_id, matches: [matched(1, 2, 0.75)] });
    expect(body).to.deep.equal({ status: 'stored', run_id });
    expect((await videoOf(cast(), media)).faces).to.deep.equal(before);
    const block = await done(cast().owner.get(media.suggestions));
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
    expect((await videoOf(cast(), media)).speaker_face_match.suggestions).to.deep.equal(block.body);
    expect(await statusOf(cast(), media)).to.deep.include({
      speaker_face_match_status: 'completed',
      mode: 'suggest',
      run_id,
      in_flight: false,
      stale: false,
    });
    expect(await runOf(cast(), media, run_id)).to.deep.include({ state: 'completed', attribution: 'own' });
  });

  it('that fail are failed, with the reason, and keep the last block', async () => {
    const media = await mediaOf(cast());
    await suggested(cast(), media, matched(1, 1));
    const block = (await cast().owner.get(media.suggestions)).body;
    const run_id = await suggest(cast(), media);
    const { body } = await writeBack(cast(), media, { run_id, status: 'failed', error: 'no frames' });
    expect(body).to.deep.equal({ status: 'failed', run_id });
    expect(await statusOf(cast(), media)).to.deep.include({ speaker_face_match_status: 'failed', in_flight: false });
    expect(await runOf(cast(), media, run_id)).to.deep.include({ state: 'failed', error: 'no frames' });
    expect((await cast().owner.get(media.suggestions)).body).to.deep.equal(block);
  });

  it('to commit are stale from the start, and stay so', async () => {
    const media = await mediaOf(cast());
    const run_id = await commit(cast(), media);
    const status = {
      speaker_face_match_status: 'queue',
      queued_at: null,
      mode: null,
      run_id,
      in_flight: false,
      stale: true,
    };
    expect(await statusOf(cast(), media)).to.deep.equal(status);
    expectCode(await cast().owner.get(media.suggestions), 404, 'no_suggestions');
    await done(writeBack(cast(), media, { run_id, matches: [] }));
    expect(await statusOf(cast(), media)).to.deep.equal(status);
    expect(await runOf(cast(), media, run_id)).to.deep.include({ state: 'completed', mode: 'commit' });
  });

  it('to commit leave the last block readable', async () => {
    const media = await mediaOf(cast());
    await suggested(cast(), media, matched(1, 1));
    const block = (await cast().owner.get(media.suggestions)).body;
    await commit(cast(), media);
    expect((await done(cast().owner.get(media.suggestions))).body).to.deep.equal(block);
  });

  it('to commit change faces: match, accuracy, the name of one without, personality data', async () => {
    const media = await mediaOf(cast(), {
      faces: [
        { id: 1, personality_traits: { calm: 1 } },
        { id: 2, name: 'Grace Hopper' },
        { id: 3, personality_traits: { calm: 1 } },
      ],
      speakers: [
        { speaker_id: 1, name: 'Ada Lovelace' },
        { speaker_id: 2, name: 'Speaker 2' },
      ],
    });
    const run_id = await commit(cast(), media);
    const { body } = await writeBack(cast(), media, { run_id, matches: [matched(1, 1, 0.5), matched(2, 2, 1)] });
    expect(body).to.deep.equal({ status: 'committed', run_id });
    expect((await videoOf(cast(), media)).faces).to.deep.equal([
      { id: 1, name: 'Ada Lovelace', speaker_id: 1, accuracy: 0.5, personality_traits: null },
      { id: 2, name: 'Grace Hopper', speaker_id: 2, accuracy: 1, personality_traits: null },
      { id: 3, name: 'Face 3', speaker_id: null, accuracy: null, personality_traits: { calm: 1 } },
    ]);
    expect(await runOf(cast(), media, run_id)).to.deep.include({ changed_faces: [1, 2] });
  });

  it('that names alone resolve are done without a worker', async () => {
    const media = await mediaOf(cast(), {
      faces: [{ id: 1, name: 'ada lovelace' }, { id: 2, name: 'Alan Turing' }, { id: 3 }],
      speakers: [
        { speaker_id: 1, name: 'Ada Lovelace' },
        { speaker_id: 2, name: 'Alan  Turing' },
      ],
    });
    const run_id = await suggest(cast(), media);
    expect(await statusOf(cast(), media)).to.deep.include({ speaker_face_match_status: 'completed', run_id });
    const block = bodyOf(SuggestionBlock, await cast().owner.get(media.suggestions));
    expect(block.mappings.map(({ face_id, speaker_id, channel }) => [face_id, speaker_id, channel])).to.deep.equal([
      [1, 1, 'name'],
      [2, 2, 'name'],
    ]);
    const committed = await commit(cast(), media);
    expect(await faceOf(cast(), media, 1)).to.include({ speaker_id: 1 });
    expect(await runOf(cast(), media, committed)).to.include({ state: 'completed', attribution: 'name_channel' });
  });

  it('tell the request, the run and the actor in the history', async () => {
    const media = await mediaOf(cast());
    await cast().owner.post(media.suggestions, {}, { 'X-Request-Id': 'run-42' });
    const last = (await historyOf(cast().admin, media.video)).at(-1);
    expect(last).to.deep.include({ type: 'MatchRunQueued', request_id: 'run-42' });
    expect(last?.actor.account_id).to.equal('owner');
  });
});
