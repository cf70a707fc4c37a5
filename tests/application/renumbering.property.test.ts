import { expect } from 'chai';
import * as fc from 'fast-check';
import { registerAudio, registerVideo } from '../../application/use-cases/videos/register.js';
import type { RunId } from '../../domain/kernel/ids.js';
import { requestsTo } from '../support/application/requests.js';
import {
  type World,
  audio,
  audioState,
  foundFaces,
  foundSpeakers,
  recordAudioAnalysis,
  recordVideoAnalysis,
  undo,
  video,
  videoState,
  world,
} from '../support/application/world.js';
import { openInMemory, succeeded } from '../support/event-store/stores.js';
import { shortOrLong } from '../support/long-form.js';
import { audioId, speakerId, videoId } from '../support/values.js';
import { proposed } from '../support/video-events.js';

/*
 * Voices and faces are told apart by time alone: voice n speaks in the seconds from 10 n, and so is face n seen. Analyses
 * number those that they find as they like, with blurred edges. Whoever is not found begins anew: a voice with a number
 * is an identity of its own until an analysis leaves it out.
 */

const body = fc.nat(3);
const analysis = {
  numbers: fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 4 }),
  found: fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
  blur: fc.integer({ min: 0, max: 3 }),
  stated: fc.boolean(),
};
const does = <Do extends string>(what: Do): fc.Arbitrary<Do> => fc.constant(what);

const anyStep = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: does('analyse voices'), ...analysis }) },
  { weight: 2, arbitrary: fc.record({ do: does('analyse faces'), ...analysis }) },
  { weight: 2, arbitrary: fc.record({ do: does('name voice'), voice: body }) },
  fc.record({ do: does('name face'), face: body }),
  { weight: 3, arbitrary: fc.record({ do: does('match'), face: body, voice: body, named: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: does('reject'), face: body, voice: body }) },
  fc.record({ do: does('queue') }),
  { weight: 2, arbitrary: fc.record({ do: does('answer'), face: body, voice: body }) },
  { weight: 2, arbitrary: fc.record({ do: does('undo'), ago: fc.nat(5), of: fc.constantFrom('video', 'audio') }) },
);
type Step = typeof anyStep extends fc.Arbitrary<infer Of> ? Of : never;
type Analysis = Extract<Step, { readonly found: unknown }>;

/** Who was found by the last analysis. Identities are unique: whoever was absent has a new one. */
interface Found {
  /** The identity of each number. */
  readonly identities: ReadonlyMap<number, string>;
  /** The number of each body. */
  readonly numbers: ReadonlyMap<number, number>;
}

const nobody: Found = { identities: new Map(), numbers: new Map() };

/** When a body is heard or seen. */
const timesOf = (of: number, blur: number) => [
  { start: of * 10 + blur, end: of * 10 + 10 },
  ...(blur === 0 ? [] : [{ start: ((of + 1) % 4) * 10, end: ((of + 1) % 4) * 10 + blur }]),
];

/** A video and its audio, and what really was given to whom. */
const recording = async (place: World, id: string) => {
  const { app, request } = place;
  await succeeded(registerVideo(app, request(), video(id)));
  await succeeded(registerAudio(app, request(), audio(id, id)));
  let [voices, faces] = [nobody, nobody];
  let queued: { readonly run_id: RunId; readonly voices: Found; readonly faces: Found } | null = null;
  const given = new Set<string>();
  const [matched, rejected] = [new Set<string>(), new Set<string>()];
  let count = 0;
  const fresh = (): number => (count += 1);
  const give = (who: string, name: string): void => void given.add(`${who}: ${name}`);

  /** Whom an analysis finds, and what it says of each: number, times and name. */
  const found = (kind: string, { found, numbers, blur, stated }: Analysis, before: Found) => {
    const all = [0, 1, 2, 3]
      .filter((one) => found[one])
      .map((one) => {
        const known = before.identities.get(before.numbers.get(one) ?? -1);
        const who = known ?? `${kind} ${fresh()}`;
        const name = stated ? `stated ${who}` : null;
        if (name !== null) give(who, name);
        return { one, number: numbers[one] ?? 0, who, name, times: timesOf(one, blur) };
      });
    const next: Found = {
      identities: new Map(all.map(({ number, who }) => [number, who])),
      numbers: new Map(all.map(({ one, number }) => [one, number])),
    };
    return { all, next };
  };

  const perform = async (step: Step): Promise<void> => {
    place.pass(1);
    const ask = requestsTo(place, request(), id);
    const who = (of: Found, one: number): string => of.identities.get(of.numbers.get(one) ?? -1) ?? '';
    switch (step.do) {
      case 'analyse voices': {
        const { all, next } = found('voice', step, voices);
        const segments = all.flatMap(({ number, times }) =>
          times.map((time) => ({ speaker_id: speakerId(number), ...time })),
        );
        const full = foundSpeakers(
          all.map(({ number, name }) => [number, name]),
          { segments },
        );
        await succeeded(recordAudioAnalysis(app, request(), audioId(id), full));
        voices = next;
        return;
      }
      case 'analyse faces': {
        const { all, next } = found('face', step, faces);
        const seen = all.flatMap(({ number, name, times }) => foundFaces([[number, name]], { tracks: times }).faces);
        await succeeded(recordVideoAnalysis(app, request(), videoId(id), { status: 'completed', faces: seen }));
        faces = next;
        return;
      }
      case 'name voice': {
        const number = voices.numbers.get(step.voice);
        if (number === undefined) return;
        const name = `name ${fresh()}`;
        give(who(voices, step.voice), name);
        await succeeded(ask.nameSpeaker(number, name));
        return;
      }
      case 'name face': {
        const number = faces.numbers.get(step.face);
        if (number === undefined) return;
        const name = `name ${fresh()}`;
        give(who(faces, step.face), name);
        await succeeded(ask.nameFace(number, name));
        return;
      }
      case 'match':
      case 'reject': {
        const [face, voice] = [faces.numbers.get(step.face), voices.numbers.get(step.voice)];
        if (face === undefined || voice === undefined) return;
        const pair = [who(faces, step.face), who(voices, step.voice)];
        (step.do === 'reject' ? rejected : matched).add(pair.join(' '));
        const name = step.do === 'match' && step.named ? `name ${fresh()}` : null;
        if (name !== null) pair.forEach((one) => give(one, name));
        await (step.do === 'reject' ? ask.decide('rejected', face, voice) : ask.match([face, voice, name]))();
        return;
      }
      case 'queue': {
        const outcome = await ask.trigger('commit')();
        if (outcome._tag === 'Right') queued = { run_id: outcome.right.run_id, voices, faces };
        return;
      }
      case 'answer': {
        // It uses the numbers of when the run was queued.
        if (queued === null) return;
        const { run_id } = queued;
        const [face] = [...queued.faces.identities].slice(step.face);
        const [voice] = [...queued.voices.identities].slice(step.voice);
        queued = null;
        if (voice === undefined || face === undefined) return;
        matched.add(`${face[1]} ${voice[1]}`);
        await ask.answer(run_id, [proposed(face[0], voice[0], 0.5)])();
        return;
      }
      case 'undo': {
        const events = await succeeded(app.store.read(`${step.of}-${id}`, -1, 1_000));
        const event = events.at(-1 - step.ago);
        if (event !== undefined) await undo(place, request(), step.of, id, event.position)();
      }
    }
  };

  const isGiven = (who: string, name: string): boolean => given.has(`${who}: ${name}`);

  /** Compared by time: what anybody has was given to them, and to nobody else. Says what is not so. */
  const faults = async (): Promise<ReadonlyArray<string>> => {
    const wrong: string[] = [];
    const nameOf = (voice: number): string => `${voices.identities.get(voice)}`;
    for (const { speaker_id, name } of (await audioState(place, id)).speakers.values())
      if (name !== null && !isGiven(nameOf(speaker_id), name)) wrong.push(`${nameOf(speaker_id)} is called ${name}`);
    const shown = await videoState(place, id);
    for (const { face_id, name, speaker_id } of shown.faces.values()) {
      const who = `${faces.identities.get(face_id)}`;
      if (speaker_id !== null && !matched.has(`${who} ${nameOf(speaker_id)}`))
        wrong.push(`matched: ${who} ${nameOf(speaker_id)}`);
      const isOwn = name === null || name === `Face ${face_id}` || isGiven(who, name);
      const adopted = [...matched].some(
        (pair) => pair.startsWith(`${who} `) && isGiven(pair.slice(who.length + 1), `${name}`),
      );
      if (!isOwn && !adopted) wrong.push(`${who} is called ${name}`);
    }
    for (const [speaker_id, ruledOut] of shown.ruled_out)
      for (const face_id of ruledOut)
        if (face_id === null || !rejected.has(`${faces.identities.get(face_id)} ${nameOf(speaker_id)}`))
          wrong.push(`rejected: ${face_id} ${speaker_id}`);
    return wrong;
  };
  return { perform, faults };
};

/** An analysis that finds everybody. */
const first = { numbers: [0, 1, 2, 3], found: [true, true, true, true], blur: 0, stated: false };

describe('names, matches and decisions, over analyses that number as they like', function () {
  this.timeout(3_600_000);

  it('are never on a voice or face that nobody gave them to', async () => {
    const { store, close } = await openInMemory();
    const place = world(store);
    let sequence = 0;
    const steps = fc.array(anyStep, { minLength: 4, maxLength: 16 });
    await fc.assert(
      fc.asyncProperty(steps, async (all) => {
        const { perform, faults } = await recording(place, `v${(sequence += 1)}`);
        for (const step of [
          { do: 'analyse faces', ...first } as const,
          { do: 'analyse voices', ...first } as const,
          ...all,
        ]) {
          await perform(step);
          expect(await faults()).to.deep.equal([]);
        }
      }),
      { numRuns: shortOrLong(2_000, 100_000) },
    );
    await close();
  });
});
