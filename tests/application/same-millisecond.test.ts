import { expect } from 'chai';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import { renameSpeakers } from '../../application/use-cases/audios/change-audio.js';
import { completedMedia, videoState } from '../support/application/media.js';
import { type World, world } from '../support/application/world.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { audioId, faceId, personName, speakerId, videoId } from '../support/values.js';

const match = ({ app, request }: World, name: string | null) =>
  succeeded(matchFaces(app, request(), videoId('v'), [{ face_id: faceId(1), speaker_id: speakerId(1), name }]));
const rename = ({ app, request }: World, name: string) =>
  succeeded(renameSpeakers(app, request(), audioId('v'), [{ speaker_id: speakerId(1), name: personName(name) }]));

const namesIn = async (place: World) => {
  const { faces } = await videoState(place, 'v');
  const { state } = await succeeded(place.app.audios.load('v'));
  return {
    face: faces.get(faceId(1))?.name,
    speaker: state._tag === 'Registered' ? state.speakers.get(speakerId(1))?.name : undefined,
  };
};

describe('requests in one millisecond', () => {
  it('two renamings at once leave face and speaker with one name', async () => {
    const { store } = await openInMemory();
    const place = world(store);
    await completedMedia(place, 'v');
    await match(place, null);
    await Promise.all([rename(place, 'Bea'), rename(place, 'Eve')]);
    expect(await namesIn(place)).to.deep.equal({ face: 'Eve', speaker: 'Eve' });
  });

  it('a renaming after a match reaches the face', async () => {
    const { store } = await openInMemory();
    const place = world(store);
    await completedMedia(place, 'v');
    await match(place, null);
    await rename(place, 'Bea');
    expect(await namesIn(place)).to.deep.equal({ face: 'Bea', speaker: 'Bea' });
  });

  it('a match with a name after a renaming reaches the speaker', async () => {
    const { store } = await openInMemory();
    const place = world(store);
    await completedMedia(place, 'v');
    await rename(place, 'Bea');
    await match(place, 'Eve');
    expect(await namesIn(place)).to.deep.equal({ face: 'Eve', speaker: 'Eve' });
  });
});
