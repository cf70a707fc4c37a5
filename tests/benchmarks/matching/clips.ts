import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';

const Stretches = t.readonlyArray(t.tuple([t.number, t.number]));

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

const giveUp = (path: string): never => {
  console.error(
    `No clips at ${path}. Give the folder that holds ava-avd/ and asw-voxconverse/ as argument or in MATCHING_DATA. ` +
      'They are made from the public annotations of AVA-AVD (github.com/zcxu-eric/AVA-AVD, MIT, labels CC BY 4.0) and ' +
      'of ASW with VoxConverse (github.com/clovaai/lookwhostalking and joonson.com/voxconverse, MIT, CC BY 4.0).',
  );
  process.exit(1);
};

/** The folder of the data: the first argument, `MATCHING_DATA`, or `../shared/data` beside the project. */
export const dataFolder = (): string =>
  resolve(
    process.argv.slice(2).find((argument) => !argument.startsWith('--')) ??
      process.env['MATCHING_DATA'] ??
      '../shared/data',
  );

const read = <A>(file: string, codec: t.Type<A, unknown>): A => {
  const path = join(dataFolder(), file);
  if (!existsSync(path)) giveUp(path);
  const json: unknown = JSON.parse(gunzipSync(readFileSync(path)).toString('utf8'));
  const decoded = codec.decode(json);
  if (E.isLeft(decoded)) throw new Error(`${path} is not as expected`);
  return decoded.right;
};

export const readClips = ({ file, hypotheses }: (typeof sets)[number]): readonly Clip[] => {
  const heard = hypotheses === null ? null : read(hypotheses, Hypotheses);
  return read(file, t.readonlyArray(Clip)).map((clip) => {
    const [H46, H61] = [heard?.H46[clip.case_id], heard?.H61[clip.case_id]];
    return { ...clip, hypotheses: H46 === undefined || H61 === undefined ? null : { H46, H61 } };
  });
};

/** The film that a clip is from: clips of one film must not be split between fitting and testing. */
export const filmOf = (clip: Clip): string => clip.case_id.replace(/_c_\d+$/, '');
