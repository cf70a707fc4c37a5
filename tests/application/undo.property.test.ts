import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as fc from 'fast-check';
import { revertAudioChange, revertVideoChange } from '../../application/use-cases/undo/revert-change.js';
import { changeAudio, renameSpeakers } from '../../application/use-cases/audios/change-audio.js';
import { changeVideo, matchFaces, decideLinks } from '../../application/use-cases/videos/change-video.js';
import { runReactions } from '../support/application/run-reactions.js';
import { audioState, completedMedia, videoState } from '../support/application/media.js';
import { type World, world } from '../support/application/world.js';
import { openInMemory } from '../support/event-store/in-memory.js';
import { succeeded } from '../support/event-store/outcomes.js';
import { type Snapshot, broken, snapshot } from '../support/undo-model.js';
import { audioId, faceId, personName, speakerId, videoId } from '../support/values.js';
import { shortOrLong } from '../support/long-form.js';

const face = fc.constantFrom(1, 2);
const speaker = fc.constantFrom(1, 2);
const name = fc.constantFrom('Ann', 'Bea', 'Person B', 'Face 7');
const title = fc.constantFrom('A film', 'A call', null);

type Step =
  | { readonly do: 'name face'; readonly face: number; readonly name: string }
  | { readonly do: 'name speaker'; readonly speaker: number; readonly name: string }
  | { readonly do: 'match'; readonly face: number; readonly speaker: number; readonly name: string | null }
  | { readonly do: 'unmatch'; readonly face: number }
  /** One pair per speaker, so that the speaker identifies it. */
  | { readonly do: 'reject'; readonly pair: number }
  | { readonly do: 'confirm'; readonly face: number; readonly speaker: number }
  | { readonly do: 'role'; readonly speaker: number; readonly role: 'agent' | 'customer' | null }
  | { readonly do: 'title'; readonly title: string | null }
  | { readonly do: 'audio title'; readonly title: string | null }
  | { readonly do: 'traits'; readonly face: number; readonly calm: number };
const does = <Do extends Step['do']>(what: Do): fc.Arbitrary<Do> => fc.constant(what);

const change: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: does('name face'), face, name }),
  fc.record({ do: does('name speaker'), speaker, name }),
  { weight: 3, arbitrary: fc.record({ do: does('match'), face, speaker, name: fc.option(name) }) },
  fc.record({ do: does('unmatch'), face }),
  { weight: 2, arbitrary: fc.record({ do: does('reject'), pair: speaker }) },
  fc.record({ do: does('confirm'), face, speaker }),
  fc.record({ do: does('role'), speaker, role: fc.constantFrom('agent' as const, 'customer' as const, null) }),
  fc.record({ do: does('title'), title }),
  fc.record({ do: does('audio title'), title }),
);
const traits: fc.Arbitrary<Step> = fc.record({ do: does('traits'), face, calm: fc.nat(2) });
const undo = fc.record({ undo: fc.nat(9), on: fc.constantFrom('video' as const, 'audio' as const) });

const perform = async ({ app, request }: World, id: string, step: Step): Promise<string | null> => {
  const positions: string[] = [];
  const asking = request({ onWrite: (position) => void positions.push(position) });
  const at = asking.at;
  const [v, a] = [videoId(id), audioId(id)];
  switch (step.do) {
    case 'name face': {
      const faces = [{ face_id: faceId(step.face), name: personName(step.name) }];
      await succeeded(changeVideo(app, asking, v, { type: 'RenameFaces', faces, at }));
      break;
    }
    case 'name speaker':
      await succeeded(
        renameSpeakers(app, asking, a, [{ speaker_id: speakerId(step.speaker), name: personName(step.name) }]),
      );
      break;
    case 'match':
      await succeeded(matchFaces(app, asking, v, [{ face_id: step.face, speaker_id: step.speaker, name: step.name }]));
      break;
    case 'reject':
      await succeeded(
        decideLinks(app, asking, v, [{ speaker_id: step.pair, face_id: step.pair, verdict: 'rejected' }]),
      );
      break;
    case 'confirm':
      await succeeded(
        decideLinks(app, asking, v, [{ speaker_id: step.speaker, face_id: step.face, verdict: 'confirmed' }]),
      );
      break;
    case 'unmatch':
      await succeeded(changeVideo(app, asking, v, { type: 'UnmatchFace', face_id: step.face, at }));
      break;
    case 'role': {
      const speakers = [{ speaker_id: speakerId(step.speaker), role: step.role }];
      await succeeded(changeAudio(app, asking, a, { type: 'SetSpeakerRoles', speakers }));
      break;
    }
    case 'title': {
      const { title: text } = step;
      await succeeded(
        changeVideo(app, asking, v, { type: 'ChangeVideoDetails', title: text, media_url: undefined, at }),
      );
      break;
    }
    case 'audio title':
      await succeeded(changeAudio(app, asking, a, { type: 'ChangeAudioDetails', title: step.title, at }));
      break;
    case 'traits': {
      const personality_traits = { calm: step.calm };
      const command = { type: 'RecordPersonalityTraits' as const, face_id: faceId(step.face), personality_traits };
      await succeeded(changeVideo(app, asking, v, command));
    }
  }
  return positions.toSorted().at(-1) ?? null;
};

interface Made {
  readonly position: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

const look = async (place: World, id: string): Promise<Snapshot> =>
  snapshot(await videoState(place, id), await audioState(place, id));

const revert = (
  { app }: World,
  request: ReturnType<World['request']>,
  id: string,
  on: 'video' | 'audio',
  position: string,
) =>
  on === 'video'
    ? revertVideoChange(app, request, videoId(id), { position, dry_run: false })()
    : revertAudioChange(app, request, audioId(id), videoId(id), { position, dry_run: false })();

/** Undoes a change on the record that it touched; the revert is a change itself. Null: it was refused. */
const undone = async (place: World, id: string, on: 'video' | 'audio', made: Made): Promise<Made | null> => {
  const before = await look(place, id);
  const positions: string[] = [];
  const request = place.request({ onWrite: (position) => void positions.push(position) });
  const first = await revert(place, request, id, on, made.position);
  const isElsewhere = E.isLeft(first) && first.left._tag === 'UnknownEvent';
  const outcome = isElsewhere
    ? await revert(place, request, id, on === 'video' ? 'audio' : 'video', made.position)
    : first;
  const after = await look(place, id);
  if (E.isRight(outcome)) {
    expect(broken(made, { before, after }, outcome.right)).to.deep.equal([]);
    expect(outcome.right.reverted).not.to.deep.equal([]);
    return { position: positions.toSorted().at(-1) ?? '', before, after };
  }
  expect(outcome.left._tag).to.equal('NothingToRevert');
  expect(after).to.deep.equal(before);
  if (outcome.left._tag === 'NothingToRevert')
    expect(broken(made, { before, after }, { reverted: [], ...outcome.left })).to.deep.equal([]);
  return null;
};

describe('changes and their reverts', function () {
  this.timeout(300_000);
  let opened: Awaited<ReturnType<typeof openInMemory>>;
  let number = 0;
  before(async () => {
    opened = await openInMemory();
  });
  after(() => opened.close());

  const fresh = async (): Promise<readonly [World, string]> => {
    const place = world(opened.store, `undo ${(number += 1)}`);
    const id = `u${number}`;
    await completedMedia(place, id);
    return [place, id];
  };
  const make = async (place: World, id: string, step: Step): Promise<Made | null> => {
    place.pass(1);
    const before = await look(place, id);
    const position = await perform(place, id, step);
    return position === null ? null : { position, before, after: await look(place, id) };
  };

  it('follow the contract for each field, in any order; running the reactions again adds nothing to the log', () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 3, arbitrary: change }, traits, { weight: 3, arbitrary: undo }), {
          maxLength: 14,
          size: 'max',
        }),
        async (steps) => {
          const [place, id] = await fresh();
          const start = await succeeded(place.app.store.head());
          const made: Made[] = [];
          for (const step of steps) {
            place.pass(1);
            const which = 'undo' in step ? made.at(-1 - (step.undo % Math.max(1, made.length))) : undefined;
            const next =
              'do' in step
                ? await make(place, id, step)
                : which === undefined
                  ? null
                  : await undone(place, id, step.on, which);
            if (next !== null && !('do' in step && step.do === 'traits')) made.push(next);
          }
          const end = await succeeded(place.app.store.head());
          await runReactions(place.app, start);
          expect(await succeeded(place.app.store.head())).to.equal(end);
        },
      ),
      { numRuns: shortOrLong(40, 300) },
    ));

  it('restore the first state if all are undone, last first', () =>
    fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 8 }), async (steps) => {
        const [place, id] = await fresh();
        const first = await look(place, id);
        const made: Made[] = [];
        for (const step of steps) {
          const next = await make(place, id, step);
          if (next !== null) made.push(next);
        }
        for (const one of made.toReversed()) {
          place.pass(1);
          await undone(place, id, 'video', one);
          expect(await look(place, id)).to.deep.equal(one.before);
        }
        expect(await look(place, id)).to.deep.equal(first);
      }),
      { numRuns: shortOrLong(40, 300) },
    ));
});
