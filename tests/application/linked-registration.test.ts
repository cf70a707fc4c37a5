import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import { audio, audioState, video, videoState, logOf, runReactions, world } from '../support/application/world.js';
import { failingStore, failed, succeeded, openTemporarySqlite } from '../support/event-store/stores.js';
import { accountId } from '../support/values.js';

describe('a linked registration', () => {
  const opening = async () => {
    const { store, close } = await openTemporarySqlite();
    const failing = failingStore(store);
    return { failing, place: world(failing.store), close };
  };

  it('registers both sides, whichever is first', async () => {
    const { place, close } = await opening();
    const { app, request } = place;
    await succeeded(registerVideo(app, request(), video('v')));
    await succeeded(registerAudio(app, request(), audio('a', 'v')));
    await succeeded(registerAudio(app, request(), audio('b')));
    await succeeded(registerVideo(app, request(), video('w', 'b')));
    for (const [one, other] of [
      ['v', 'a'],
      ['w', 'b'],
    ] as const) {
      expect((await videoState(place, one)).audio_id).to.equal(other);
      expect((await audioState(place, other)).video_id).to.equal(one);
    }
    await close();
  });

  it('refuses a record that does not exist, belongs to somebody else, or is linked already', async () => {
    const { place, close } = await opening();
    const { app, request } = place;
    expect(await failed(registerAudio(app, request(), audio('a', 'v')))).to.include({ _tag: 'UnavailableVideo' });
    expect(await failed(registerVideo(app, request(), video('v', 'a')))).to.include({ _tag: 'UnavailableAudio' });
    await succeeded(registerVideo(app, request(), video('v')));
    await succeeded(registerAudio(app, request(), audio('a', 'v')));
    const taken = await failed(registerAudio(app, request(), audio('b', 'v')));
    expect(taken).to.deep.equal({ _tag: 'AudioAlreadyAssociated', audio_id: 'a' });
    expect(await failed(registerVideo(app, request(), video('w', 'a')))).to.include({ _tag: 'AudioHasParent' });
    const stranger = { ...request(), caller: { ...request().caller, account_id: accountId('stranger') } };
    expect(await failed(registerVideo(app, stranger, video('x', 'a')))).to.include({ _tag: 'UnavailableAudio' });
    expect(await failed(registerAudio(app, stranger, audio('y', 'v')))).to.include({ _tag: 'UnavailableVideo' });
    await close();
  });

  it('is undone on the other side if the id was registered meanwhile', async () => {
    const { place, failing, close } = await opening();
    const { app, request } = place;
    await succeeded(registerVideo(app, request(), video('v')));
    failing.failAfter(1);
    expect(await failed(registerAudio(app, request(), audio('a', 'v')))).to.include({ _tag: 'AudioExists' });
    expect((await videoState(place, 'v')).audio_id, 'half done').to.equal('a');
    failing.recover();
    await succeeded(registerAudio(app, request(), audio('a')));
    await runReactions(place.app);
    expect((await videoState(place, 'v')).audio_id).to.equal(null);
    expect((await audioState(place, 'a')).video_id).to.equal(null);
    const log = await logOf(place);
    await runReactions(place.app);
    expect(await logOf(place)).to.deep.equal(log);
    await close();
  });

  it('succeeds for one of two requests with the same linked record or the same id', async () => {
    const { place, close } = await opening();
    const { app, request } = place;
    await succeeded(registerVideo(app, request(), video('v')));
    const audios = await Promise.all(['a', 'b'].map((one) => registerAudio(app, request(), audio(one, 'v'))()));
    expect(audios.filter(E.isRight)).to.have.length(1);
    await succeeded(registerAudio(app, request(), audio('c')));
    await succeeded(registerAudio(app, request(), audio('d')));
    const videos = await Promise.all(['c', 'd'].map((one) => registerVideo(app, request(), video('w', one))()));
    expect(videos.filter(E.isRight)).to.have.length(1);
    const mine = (await videoState(place, 'w')).audio_id;
    const parents = [(await audioState(place, 'c')).video_id, (await audioState(place, 'd')).video_id];
    expect(parents).to.deep.equal(mine === 'c' ? ['w', null] : [null, 'w']);
    await close();
  });
});
