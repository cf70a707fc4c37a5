import { expect } from 'chai';
import { castOfAll } from '../support/e2e/cast.js';
import { type Media, audioOf, done, faceOf, mediaOf, speakerOf } from '../support/e2e/media.js';
import { expectCode } from '../support/e2e/refusal.js';

describe('names that people gave', () => {
  const cast = castOfAll();
  const nameFace = (media: Media, face_id: number, name: string) =>
    done(cast().owner.put(`/v1/videos/${media.videoId}/faces/names`, [{ face_id, name }]));
  const nameSpeaker = (media: Media, speaker_id: number, name: string) =>
    done(cast().owner.put(`/v1/audios/${media.audioId}/speakers/names`, [{ speaker_id, name }]));
  const match = (media: Media, face_id: number, speaker_id: number) =>
    done(cast().owner.put(media.match, { mappings: [{ face_id, speaker_id }] }));

  it('are real ones whatever they say: no match and no analysis overwrites them', async () => {
    const media = await mediaOf(cast());
    await nameFace(media, 1, 'Person B');
    await nameFace(media, 3, 'Unknown');
    await match(media, 1, 1);
    await done(
      cast().worker.put(media.writeBack, {
        status: 'completed',
        matches: [{ face_id: 3, speaker_id: 2, accuracy: 0.9 }],
      }),
    );
    const faces = [1, 3].map((id) => ({ id, name: 'Somebody Else', tracks: [] }));
    await done(cast().worker.put(`${media.video}/analysis`, { status: 'completed', faces }));
    expect(await faceOf(cast(), media, 1)).to.include({ name: 'Person B', speaker_id: 1 });
    expect(await faceOf(cast(), media, 3)).to.include({ name: 'Unknown', speaker_id: 2 });
  });

  it('give way where they are Face {id}', async () => {
    const media = await mediaOf(cast());
    await nameFace(media, 2, 'Face 9');
    await match(media, 2, 1);
    expect(await faceOf(cast(), media, 2)).to.include({ name: 'Ada Lovelace' });
  });

  it('are theirs once they give the name that is there', async () => {
    const media = await mediaOf(cast(), { speakers: [{ speaker_id: 1, name: 'SPEAKER_00' }, { speaker_id: 2 }] });
    await nameSpeaker(media, 1, 'SPEAKER_00');
    await done(
      cast().worker.put(`${media.audio}/analysis`, {
        status: 'completed',
        speakers: [{ speaker_id: 1, name: 'Ann' }, { speaker_id: 2 }],
        segments: [],
      }),
    );
    expect(await speakerOf(cast(), media, 1)).to.include({ name: 'SPEAKER_00' });
    await done(cast().owner.put(media.match, { mappings: [{ face_id: 2, speaker_id: 2, name: 'Grace Hopper' }] }));
    await done(
      cast().worker.put(`${media.video}/analysis`, {
        status: 'completed',
        faces: [{ id: 2, name: 'Rear Admiral', tracks: [] }],
      }),
    );
    expect(await faceOf(cast(), media, 2)).to.include({ name: 'Grace Hopper' });
  });

  it('are kept by a merge where only one speaker has one, and the face follows', async () => {
    const media = await mediaOf(cast(), {
      speakers: [{ speaker_id: 1, name: 'Speaker A' }, { speaker_id: 2, name: 'SPEAKER_01' }, { speaker_id: 3 }],
    });
    await match(media, 1, 2);
    await nameSpeaker(media, 3, 'Ann');
    await done(cast().owner.post(`${media.audio}/speakers/merge`, { from: 3, into: 2 }));
    expect(await speakerOf(cast(), media, 2)).to.include({ name: 'Ann' });
    expect(await faceOf(cast(), media, 1)).to.include({ name: 'Ann', speaker_id: 2 });
    await done(cast().owner.post(`${media.audio}/speakers/merge`, { from: 2, into: 1 }));
    expect(await speakerOf(cast(), media, 1)).to.include({ name: 'Ann' });
    expect(await faceOf(cast(), media, 1)).to.include({ name: 'Ann', speaker_id: 1 });
  });

  it('go with their speakers: a later analysis without one takes the match, accuracy and personality data', async () => {
    const media = await mediaOf(cast());
    await done(
      cast().worker.put(media.writeBack, {
        status: 'completed',
        matches: [{ face_id: 1, speaker_id: 1, accuracy: 0.9 }],
      }),
    );
    await done(cast().worker.put(`${media.video}/faces/1/personality-traits`, { personality_traits: { calm: 1 } }));
    const analysed = (status: string, ...ids: ReadonlyArray<number>) =>
      done(
        cast().worker.put(`${media.audio}/analysis`, {
          status,
          speakers: ids.map((speaker_id) => ({ speaker_id })),
          segments: [],
        }),
      );
    await analysed('processing', 2);
    expect(await faceOf(cast(), media, 1)).to.include({ speaker_id: 1 });
    await analysed('completed', 2);
    const face = { id: 1, name: 'Ada Lovelace', speaker_id: null, accuracy: null, personality_traits: null };
    expect(await faceOf(cast(), media, 1)).to.deep.equal(face);
    await analysed('completed', 1, 2);
    expect(await faceOf(cast(), media, 1)).to.deep.equal(face);
  });
});

describe('an empty transcript', () => {
  const cast = castOfAll();
  const infer = (media: Media) =>
    cast().owner.post(`${media.audio}/speaker-name-inference/suggestions`, { target_speaker_ids: [1] });

  it('is none: name inference answers 400 before anything is charged', async () => {
    const media = await mediaOf(cast(), { transcript: [] });
    expect(await audioOf(cast(), media)).to.include({ transcript_available: false });
    expectCode(await infer(media), 400, 'transcript_not_ready');
  });

  it('takes the place of another when it replaces it', async () => {
    const media = await mediaOf(cast(), { transcript: [{ speaker_id: 1, start: 0, end: 1, text: 'Hello' }] });
    await done(cast().owner.put(`/v1/audios/${media.audioId}/transcript/replace`, { transcript: [] }));
    expect(await audioOf(cast(), media)).to.include({ transcript_available: false });
    expectCode(await cast().owner.get(`${media.audio}/transcript`), 404, 'transcript_not_found');
  });
});

describe('null in a body', () => {
  const cast = castOfAll();

  it('says as little as an absent field', async () => {
    const { owner, worker, admin } = cast();
    const nothing = { title: null, kind: null };
    const video = await done(owner.post('/v2/videos', { ...nothing, video_id: null, media_url: null, audio_id: null }));
    expect(video.body).to.include({ kind: 'upload', title: null });
    await done(owner.post('/v2/audios', { ...nothing, audio_id: null, video_id: null, deal_persons: null }));
    await done(admin.post('/v1/accounts', { account_id: null, name: null }));
    await done(admin.post('/v1/accounts/owner/keys', { label: null, admin: null, permissions: null }));
    const media = await mediaOf(cast(), {
      faces: [{ id: 1, name: null, personality_traits: { calm: 1 }, talking: null, captions: null }, { id: 2 }],
      speakers: [{ speaker_id: 1, name: null, role: null, synthetic: null }, { speaker_id: 2 }],
    });
    const again = { id: 1, name: null, personality_traits: null, tracks: [], talking: null };
    await done(worker.put(`${media.video}/analysis`, { status: 'completed', faces: [again, { id: 2, tracks: [] }] }));
    expect(await faceOf(cast(), media, 1)).to.deep.include({ personality_traits: { calm: 1 } });
    const heard = { speakers: [{ speaker_id: 1 }, { speaker_id: 2 }], segments: [], transcript: null };
    await done(
      worker.put(`${media.audio}/analysis`, {
        status: 'completed',
        ...heard,
        provider_supplied: null,
        speech_segments: null,
      }),
    );
    await done(owner.post(media.match, { target_speaker_ids: null }));
    await done(
      worker.put(media.writeBack, {
        run_id: null,
        status: null,
        error: null,
        matches: [{ face_id: 1, speaker_id: 1, accuracy: 0.5, channel: null, evidence: null }],
        unmatched_speakers: [{ speaker_id: 2, reason: 'x', candidates: null }],
      }),
    );
    await done(owner.post(`${media.video}/tags`, { tags: [{ key: 'label.a', value: 'x' }], dry_run: null }));
    await done(owner.put(media.match, { mappings: [{ face_id: 1, speaker_id: 1, name: null }] }));
  });
});
