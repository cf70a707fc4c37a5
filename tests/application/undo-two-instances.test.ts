import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { audioState, completedMedia, videoState, undo, world } from '../support/application/world.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { faceId, speakerId, videoId } from '../support/values.js';

const rounds = 24;

describe('one change of two records that is undone on two instances at once', () => {
  it('is undone by one of the two, at whichever record; the other has nothing left to revert', async () => {
    const { store, close } = await openInMemory();
    const [one, other] = [world(store, 'one'), world(store, 'other')];
    for (let round = 0; round < rounds; round += 1) {
      const id = `v${round}`;
      await completedMedia(one, id);
      const mapping = { face_id: faceId(1), speaker_id: speakerId(1), name: 'Bea' };
      await succeeded(matchFaces(one.app, one.request(), videoId(id), [mapping]));
      const position = (await succeeded(store.read(`video-${id}`, -1, 100))).at(-1)?.position ?? '';
      const answers = await Promise.all([
        undo(one, one.request(), round % 2 === 0 ? 'video' : 'audio', id, position)(),
        undo(other, other.request(), round % 4 < 2 ? 'video' : 'audio', id, position)(),
      ]);
      expect(answers.filter(E.isRight), JSON.stringify(answers)).to.have.length(1);
      expect(answers.find(E.isLeft)).to.have.nested.property('left._tag', 'NothingToRevert');
      expect((await videoState(one, id)).faces.get(faceId(1))).to.include({ name: 'Face 1', speaker_id: null });
      expect((await audioState(other, id)).speakers.get(speakerId(1))).to.include({ name: 'Ann' });
    }
    await close();
  });
});
