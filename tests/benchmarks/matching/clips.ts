import * as t from 'io-ts';
import { FaceId, SpeakerId } from '../../../domain/kernel/ids.js';
import { dataReader } from '../support/data.js';
import { shippedClips } from './shipped-clips.js';

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
