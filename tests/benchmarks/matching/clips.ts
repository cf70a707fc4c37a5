import { readFileSync } from 'node:fs';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import { dataReader } from '../support/data.js';

const Stretches = t.readonlyArray(t.tuple([t.number, t.number]));

const Shipped = t.type({
  faces: t.readonlyArray(t.type({ id: t.number, tracks: Stretches, talking: Stretches })),
  speakers: t.readonlyArray(t.type({ speaker_id: t.number, segments: Stretches })),
  gold: t.readonlyArray(t.type({ face_id: t.number, speaker_id: t.number })),
});

const shipped = (name: string): t.TypeOf<typeof Shipped> => {
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
const shippedClips = (): Readonly<Record<string, unknown>> => {
  const [ava, asw] = [shipped('ava-avd/FaXLcSFjUI_c_01'), shipped('asw-voxconverse/DT38D1C3_ZA')];
  const heard = Object.fromEntries(copiesOf(ava).map(({ case_id }) => [case_id, spoiltTurns(ava)]));
  return {
    'ava-avd/cases.train.json.gz': copiesOf(ava),
    'ava-avd/hypotheses.train.json.gz': { H46: heard, H61: heard },
    'asw-voxconverse/cases.dev.json.gz': copiesOf(asw),
  };
};

const Clip = t.intersection([
  t.type({
    case_id: t.string,
    speakers: t.readonlyArray(t.type({ speaker_id: SpeakerId, segments: Stretches })),
    faces: t.readonlyArray(
      t.intersection([
        t.type({
          face_id: FaceId,
          kind: t.union([t.literal('speaking'), t.literal('silent')]),
          tracks: t.readonlyArray(t.type({ visible: Stretches, talking: Stretches })),
        }),
        t.partial({ not_speakers: t.readonlyArray(SpeakerId) }),
      ]),
    ),
    gold: t.readonlyArray(t.type({ face_id: FaceId, speaker_id: SpeakerId })),
    offscreen_speakers: t.readonlyArray(SpeakerId),
  }),
  t.unknown,
]);
type Truth = t.TypeOf<typeof Clip>;

const Heard = t.readonlyArray(t.type({ speaker_id: SpeakerId, segments: Stretches }));
/** The turns by a diarisation with errors: 46 or 61 % of the speech is missed, false or another's. */
const Hypotheses = t.type({ H46: t.record(t.string, Heard), H61: t.record(t.string, Heard) });
export type Diarisation = keyof t.TypeOf<typeof Hypotheses>;

/** One clip with its truth. Its `excluded_faces` are not read: they take no part. */
export interface Clip extends Truth {
  readonly hypotheses: Readonly<Record<Diarisation, t.TypeOf<typeof Heard>>> | null;
}

export const sets = [
  {
    name: 'AVA-AVD train',
    file: 'ava-avd/cases.train.json.gz',
    hypotheses: 'ava-avd/hypotheses.train.json.gz',
  },
  { name: 'ASW dev', file: 'asw-voxconverse/cases.dev.json.gz', hypotheses: null },
] as const;

const read = dataReader({
  variable: 'MATCHING_DATA',
  about:
    'Give the folder that holds ava-avd/ and asw-voxconverse/ as argument or in MATCHING_DATA. ' +
    'They are made from the public annotations of AVA-AVD (github.com/zcxu-eric/AVA-AVD, MIT, labels CC BY 4.0) and ' +
    'of ASW with VoxConverse (github.com/clovaai/lookwhostalking and joonson.com/voxconverse, MIT, CC BY 4.0).',
  samples: shippedClips,
});

export const readClips = ({ file, hypotheses }: (typeof sets)[number]): readonly Clip[] => {
  const heard = hypotheses === null ? null : read(hypotheses, Hypotheses);
  return read(file, t.readonlyArray(Clip)).map((clip) => {
    const [H46, H61] = [heard?.H46[clip.case_id], heard?.H61[clip.case_id]];
    return { ...clip, hypotheses: H46 === undefined || H61 === undefined ? null : { H46, H61 } };
  });
};

/** The film that a clip is from: clips of one film must not be split between fitting and testing. */
export const filmOf = (clip: Clip): string => clip.case_id.replace(/_c_\d+$/, '');
