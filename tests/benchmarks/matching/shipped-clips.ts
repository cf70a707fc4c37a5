import { readFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';

const Stretches = t.readonlyArray(t.tuple([t.number, t.number]));
const Shipped = t.type({
  faces: t.readonlyArray(t.type({ id: t.number, tracks: Stretches, talking: Stretches })),
  speakers: t.readonlyArray(t.type({ speaker_id: t.number, segments: Stretches })),
  gold: t.readonlyArray(t.type({ face_id: t.number, speaker_id: t.number })),
});

const read = (name: string): t.TypeOf<typeof Shipped> => {
  const file = new URL(`../../../../tests/fixtures/clips/${name}.expected.json`, import.meta.url);
  const decoded = Shipped.decode(JSON.parse(readFileSync(file, 'utf8')));
  if (E.isLeft(decoded)) throw new Error(`${name} is not as expected`);
  return decoded.right;
};

/** A shipped clip several times, as if of several films. */
const copiesOf = ({ faces, speakers, gold }: t.TypeOf<typeof Shipped>) => {
  const seen = new Set(gold.map(({ speaker_id }) => speaker_id));
  const spoken = new Set(gold.map(({ face_id }) => face_id));
  return Array.from({ length: 6 }, (_, film) => ({
    case_id: `film-${film}`,
    speakers,
    faces: faces.map(({ id, tracks, talking }) => ({
      face_id: id,
      kind: spoken.has(id) ? 'speaking' : 'silent',
      tracks: [{ visible: tracks, talking }],
    })),
    gold,
    offscreen_speakers: speakers.map(({ speaker_id }) => speaker_id).filter((id) => !seen.has(id)),
  }));
};

/** Each third turn goes to the next speaker. */
const spoiltTurns = ({ speakers }: t.TypeOf<typeof Shipped>) =>
  speakers.map(({ speaker_id, segments }, at) => ({
    speaker_id,
    segments: [
      ...segments.filter((_, turn) => turn % 3 > 0),
      ...(speakers.at(at - 1)?.segments ?? []).filter((_, turn) => turn % 3 === 0),
    ],
  }));

/** The clips of the tests in place of the public sets: enough for all that is measured on those, too few to say anything. */
export const shippedClips = (): Readonly<Record<string, unknown>> => {
  const [ava, asw] = [read('ava-avd/FaXLcSFjUI_c_01'), read('asw-voxconverse/DT38D1C3_ZA')];
  const heard = Object.fromEntries(copiesOf(ava).map(({ case_id }) => [case_id, spoiltTurns(ava)]));
  return {
    'ava-avd/cases.train.json.gz': copiesOf(ava),
    'ava-avd/hypotheses.train.json.gz': { H46: heard, H61: heard },
    'asw-voxconverse/cases.dev.json.gz': copiesOf(asw),
  };
};
