import { expect } from 'chai';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import type * as TE from 'fp-ts/lib/TaskEither.js';
import type { RequestContext } from '../../application/commands/context.js';
import { renameSpeakers } from '../../application/use-cases/audios/change-audio.js';
import { matchFaces, decideLinks } from '../../application/use-cases/videos/change-video.js';
import type { RegisteredAudio } from '../../domain/audio/state.js';
import type { RecordFields } from '../../domain/kernel/edit.js';
import type { AudioId, VideoId } from '../../domain/kernel/ids.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import {
  runReactions,
  audioState,
  completedMedia,
  videoState,
  undo as revert,
  type World,
  world,
} from '../support/application/world.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';
import { audioId, faceId, personName, speakerId, videoId } from '../support/values.js';

/** One field of a record as text; `text` is a name without who gave it. */
interface Cell {
  readonly value: string;
  readonly text: string;
}

/** The fields of both records that can be undone, by `record id field`. */
type Snapshot = ReadonlyMap<string, Cell>;

const plain = (value: unknown): Cell => ({ value: JSON.stringify(value), text: JSON.stringify(value) });
const named = (name: string | null, by: string): Cell => ({
  value: JSON.stringify([name, by]),
  text: JSON.stringify(name),
});

const none = plain(null);

const snapshot = (video: RegisteredVideo, audio: RegisteredAudio): Snapshot =>
  new Map<string, Cell>([
    ...[...video.faces.values()].flatMap((face): ReadonlyArray<[string, Cell]> => [
      [`face ${face.face_id} name`, named(face.name, face.named_by)],
      [`face ${face.face_id} speaker_id`, plain(face.speaker_id)],
      [`face ${face.face_id} accuracy`, plain(face.accuracy)],
      [`face ${face.face_id} personality_traits`, plain(face.personality_traits)],
    ]),
    ...[...audio.speakers.values()].flatMap((speaker): ReadonlyArray<[string, Cell]> => [
      [`speaker ${speaker.speaker_id} name`, named(speaker.name, speaker.named_by)],
      [`speaker ${speaker.speaker_id} role`, plain(speaker.role)],
    ]),
    ...[...video.ruled_out.keys()].map((id): [string, Cell] => [`speaker ${id} decision`, plain(true)]),
    ...[...video.tags].map(([key, tag]): [string, Cell] => [`tag ${key} value`, plain(tag)]),
    [`video ${video.video_id} title`, plain(video.title)],
    [`video ${video.video_id} media_url`, plain(video.media_url)],
    [`audio ${audio.audio_id} title`, plain(audio.title)],
  ]);

const flat = (fields: ReadonlyArray<RecordFields>): ReadonlySet<string> =>
  new Set(fields.flatMap(({ record, id, fields: names }) => names.map((name) => `${record} ${id} ${name}`)));

/** Checks each field of a revert against the contract. Returns the violations. */
const broken = (
  change: { readonly before: Snapshot; readonly after: Snapshot },
  revert: { readonly before: Snapshot; readonly after: Snapshot },
  answer: { readonly reverted: ReadonlyArray<RecordFields>; readonly changed_since: ReadonlyArray<RecordFields> },
): ReadonlyArray<string> => {
  const [reverted, since] = [flat(answer.reverted), flat(answer.changed_since)];
  const wrong = (field: string): string | null => {
    const [old, left] = [change.before.get(field) ?? none, change.after.get(field) ?? none];
    const [now, then] = [revert.before.get(field) ?? none, revert.after.get(field) ?? none];
    const isRestored = then.value === old.value && then.value !== now.value;
    if (isRestored !== reverted.has(field)) return 'the report whether it was restored is wrong';
    if (isRestored && since.has(field)) return 'it is reported twice';
    if (then.value !== now.value && !isRestored) return 'it has a value from nowhere';
    if (old.value === left.value) return isRestored || since.has(field) ? 'the change did not touch it' : null;
    if (now.value === left.value) {
      if (isRestored) return null;
      const isMatch = field.endsWith(' speaker_id');
      const isTaken = [...revert.after].some(
        ([other, { value }]) => isMatch && other !== field && other.endsWith(' speaker_id') && value === old.value,
      );
      return isTaken && since.has(field) ? null : 'it was not put back';
    }
    if (isRestored) return 'it was changed since, and is put back';
    return (now.text === old.text) === since.has(field) ? 'the report whether it was changed since is wrong' : null;
  };
  return [...new Set([...change.before.keys(), ...change.after.keys(), ...revert.after.keys()])].flatMap((field) => {
    const why = wrong(field);
    return why === null ? [] : [`${field}: ${why}`];
  });
};

interface Place {
  readonly app: World['app'];
  readonly asking: RequestContext;
  readonly v: VideoId;
  readonly a: AudioId;
}
/** A request with chosen values; `what` is shown if a property fails. */
interface Step {
  readonly what: string;
  readonly perform: (place: Place) => TE.TaskEither<{ readonly _tag: string }, unknown>;
}
const step = <Values>(
  what: string,
  values: fc.Arbitrary<Values>,
  perform: (place: Place, values: Values) => ReturnType<Step['perform']>,
): fc.Arbitrary<Step> =>
  values.map((given) => ({
    what: `${what} ${JSON.stringify(given)}`,
    perform: (place) => perform(place, given),
  }));

const face_id = fc.constantFrom(1, 2).map(faceId);
const speaker_id = fc.constantFrom(1, 2).map(speakerId);
const name = fc.constantFrom('Ann', 'Bea', 'Person B', 'Face 7');
const title = fc.constantFrom('A film', 'A call', null);
const role = fc.constantFrom('agent' as const, 'customer' as const, null);

const match = step('match', fc.record({ face_id, speaker_id, name: fc.option(name) }), ({ app, asking, v }, mapping) =>
  matchFaces(app, asking, v, [mapping]),
);
/** One pair per speaker, so that the speaker identifies it. */
const reject = step('reject', fc.constantFrom(1, 2), ({ app, asking, v }, id) =>
  decideLinks(app, asking, v, [{ speaker_id: id, face_id: id, verdict: 'rejected' }]),
);
const change: fc.Arbitrary<Step> = fc.oneof(
  step('name face', fc.record({ face_id, name: name.map(personName) }), ({ app, asking, v }, face) =>
    app.perform(asking, 'videos', v, { type: 'RenameFaces', faces: [face], at: asking.at }),
  ),
  step('name speaker', fc.record({ speaker_id, name: name.map(personName) }), ({ app, asking, a }, speaker) =>
    renameSpeakers(app, asking, a, [speaker]),
  ),
  { weight: 3, arbitrary: match },
  step('unmatch', fc.record({ face_id }), ({ app, asking, v }, face) =>
    app.perform(asking, 'videos', v, { type: 'UnmatchFace', ...face, at: asking.at }),
  ),
  { weight: 2, arbitrary: reject },
  step('confirm', fc.record({ face_id, speaker_id }), ({ app, asking, v }, pair) =>
    decideLinks(app, asking, v, [{ ...pair, verdict: 'confirmed' }]),
  ),
  step('role', fc.record({ speaker_id, role }), ({ app, asking, a }, speaker) =>
    app.perform(asking, 'audios', a, { type: 'SetSpeakerRoles', speakers: [speaker] }),
  ),
  step('title', fc.record({ title }), ({ app, asking, v }, text) =>
    app.perform(asking, 'videos', v, { type: 'ChangeVideoDetails', ...text, media_url: undefined, at: asking.at }),
  ),
  step('audio title', fc.record({ title }), ({ app, asking, a }, text) =>
    app.perform(asking, 'audios', a, { type: 'ChangeAudioDetails', ...text, at: asking.at }),
  ),
);
const traits = step(
  'traits',
  fc.record({ face_id, personality_traits: fc.record({ calm: fc.nat(2) }) }),
  ({ app, asking, v }, given) => app.perform(asking, 'videos', v, { type: 'RecordPersonalityTraits', ...given }),
);
const undo = fc.record({ undo: fc.nat(9), on: fc.constantFrom('video' as const, 'audio' as const) });

interface Made {
  readonly position: string;
  readonly before: Snapshot;
  readonly after: Snapshot;
}

const look = async (place: World, id: string): Promise<Snapshot> =>
  snapshot(await videoState(place, id), await audioState(place, id));

/** Undoes a change on the record that it touched; the revert is a change itself. Null: it was refused. */
const undone = async (place: World, id: string, on: 'video' | 'audio', made: Made): Promise<Made | null> => {
  const before = await look(place, id);
  const positions: string[] = [];
  const request = place.request({ onWrite: (position) => void positions.push(position) });
  const first = await revert(place, request, on, id, made.position)();
  const isElsewhere = E.isLeft(first) && first.left._tag === 'UnknownEvent';
  const outcome = isElsewhere
    ? await revert(place, request, on === 'video' ? 'audio' : 'video', id, made.position)()
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
  const make = async (place: World, id: string, { perform }: Step): Promise<Made | null> => {
    place.pass(1);
    const before = await look(place, id);
    const positions: string[] = [];
    const asking = place.request({ onWrite: (position) => void positions.push(position) });
    await succeeded(perform({ app: place.app, asking, v: videoId(id), a: audioId(id) }));
    const position = positions.toSorted().at(-1);
    return position === undefined ? null : { position, before, after: await look(place, id) };
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
              'perform' in step
                ? await make(place, id, step)
                : which === undefined
                  ? null
                  : await undone(place, id, step.on, which);
            if (next !== null && !('what' in step && step.what.startsWith('traits'))) made.push(next);
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
