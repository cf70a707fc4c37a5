import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { inferNames } from '../../application/name-inference/infer-names.js';
import type { EventStore } from '../../application/ports/event-store.js';
import { followUpsOf, reactionTo } from '../../application/reactions/table.js';
import { readEvent } from '../../application/commands/read-event.js';
import { followUpContext } from '../../application/commands/context.js';
import { matchFaces } from '../../application/use-cases/videos/change-video.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import {
  completedMedia,
  videoState,
  requestForAda,
  inferenceOfAda,
  recordAdaSpeaking,
  type World,
  world,
} from '../support/application/world.js';
import { succeeded, openInMemory } from '../support/event-store/stores.js';
import { faceId, speakerId, videoId } from '../support/values.js';

/** A store that does something else after each append of a type, before the append returns. */
const interrupted = (inner: EventStore, type: string, meanwhile: (stream: string) => Promise<void>): EventStore => ({
  ...inner,
  append: (stream, expected, events) => async () => {
    const appended = await inner.append(stream, expected, events)();
    if (events.some((event) => event.type === type)) await meanwhile(stream);
    return appended;
  },
});

/** The first reaction of the process to the last event of a stream, without further reactions. */
const followFirstSteps = async ({ app }: World, stream: string): Promise<void> => {
  const [last] = (await succeeded(app.store.read(stream, -1, 100))).slice(-1);
  if (last === undefined) throw new Error(`nothing in ${stream}`);
  const event = await succeeded(TE.fromEither(readEvent(last)));
  for (const [index, { to, id, command }] of followUpsOf(reactionTo(event), null).entries()) {
    const context = followUpContext(app.ids, event, `follow/${index}`, app.clock.now());
    if (to === 'creditAccounts') await succeeded(app.creditAccounts.handle(id, command, context));
    if (to === 'audios') await succeeded(app.audios.handle(id, command, context));
  }
};

describe('a committing inference whose reactions the process runs first', () => {
  it('answers only once the matched face has its name too', async () => {
    const { store, close } = await openInMemory();
    const place: World = world(
      interrupted(store, 'NameInferenceAnswered.v1', (stream) => followFirstSteps(place, stream)),
    );
    await completedMedia(place, 'v');
    await recordAdaSpeaking(place, 'v');
    const mappings = [{ face_id: faceId(1), speaker_id: speakerId(1) }];
    await succeeded(matchFaces(place.app, place.request(), videoId('v'), mappings));
    place.pass(1);
    const nameRequest = await requestForAda(place, 'v', 'commit');
    const seen: string[] = [];
    const request = place.request({ onWrite: (position) => void seen.push(position) });
    const { inference } = inferenceOfAda();
    expect(E.isRight(await inferNames(place.app, inference, request, nameRequest)())).to.equal(true);
    expect((await videoState(place, 'v')).faces.get(faceId(1))?.name).to.equal('Ada Lovelace');
    expect(seen.toSorted().at(-1)).to.equal(await succeeded(store.head()));
    await close();
  });
});
