import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { nothing, record, refuse } from '../../kernel/decider.js';
import type { FaceId, SpeakerId } from '../../kernel/ids.js';
import type { DecideLinks, LinkDecision } from '../contract.js';
import type { VideoDecision } from '../refusals.js';
import type { AudioFacts } from '../audio-facts.js';
import type { VideoEvent } from '../events.js';
import { type FaceChange, faceChange } from '../face.js';
import { datedLast } from '../faces.js';
import { adoptedName, linkFaces } from '../link-faces.js';
import { editsTowards, exceedsRuledOut, mostRuledOut } from '../ruled-out.js';
import type { RegisteredVideo } from '../state.js';
import { type UnknownInPair, checkKnown } from './check-links.js';

type Known = LinkDecision & { readonly speaker_id: SpeakerId; readonly face_id: FaceId | null };

/** Each decision once. */
const distinct = (decisions: ReadonlyArray<LinkDecision>): ReadonlyArray<LinkDecision> => [
  ...new Map(
    decisions.map((decision) => [`${decision.speaker_id}/${decision.face_id}/${decision.verdict}`, decision]),
  ).values(),
];

/** The first decision that another one of the request contradicts: one confirmed a speaker and a face, one verdict a pair. */
const contradicted = (decisions: ReadonlyArray<LinkDecision>): LinkDecision | undefined => {
  const speakers = new Set<number>();
  const faces = new Set<number>();
  const pairs = new Set<string>();
  return decisions.find(({ speaker_id, face_id, verdict }) => {
    const pair = `${speaker_id}/${face_id}`;
    const isTaken =
      pairs.has(pair) ||
      (verdict === 'confirmed' && (speakers.has(speaker_id) || (face_id !== null && faces.has(face_id))));
    pairs.add(pair);
    if (verdict === 'confirmed') {
      speakers.add(speaker_id);
      if (face_id !== null) faces.add(face_id);
    }
    return isTaken;
  });
};

const known = (
  decisions: ReadonlyArray<LinkDecision>,
  state: RegisteredVideo,
  { speakers }: AudioFacts,
): E.Either<UnknownInPair, ReadonlyArray<Known>> => {
  const seen = decisions.flatMap(({ face_id, ...rest }) => (face_id === null ? [] : [{ ...rest, face_id }]));
  const heard = new Map(speakers.map(({ speaker_id }): [number, SpeakerId] => [speaker_id, speaker_id]));
  const unseen = decisions.flatMap(({ face_id, ...rest }) => (face_id === null ? [rest] : []));
  const unknown = unseen.find(({ speaker_id }) => !heard.has(speaker_id));
  return pipe(
    checkKnown(seen, state.faces, speakers),
    E.filterOrElseW(
      () => unknown === undefined,
      (): UnknownInPair => ({ _tag: 'InvalidSpeaker', speaker_id: unknown?.speaker_id ?? -1 }),
    ),
    E.map((pairs) => [
      ...pairs,
      ...unseen.flatMap(({ verdict, speaker_id }) => {
        const id = heard.get(speaker_id);
        return id === undefined ? [] : [{ verdict, speaker_id: id, face_id: null }];
      }),
    ]),
  );
};

/** The matches that the decisions make, and those that they take away. */
const faceChanges = (
  state: RegisteredVideo,
  decisions: ReadonlyArray<Known>,
  audio: AudioFacts,
): ReadonlyArray<FaceChange> => {
  const speakerOf = new Map(audio.speakers.map((speaker) => [speaker.speaker_id, speaker]));
  const links = decisions.flatMap(({ speaker_id, face_id, verdict }) =>
    face_id === null || verdict === 'rejected'
      ? []
      : [
          {
            face_id,
            speaker_id,
            accuracy: null,
            name: adoptedName(state.faces.get(face_id), speakerOf.get(speaker_id)),
          },
        ],
  );
  const linked = linkFaces(state.faces, links);
  const settled = new Set([...links, ...linked].map(({ face_id }) => face_id));
  const goes = new Set(
    decisions.flatMap(({ speaker_id, face_id, verdict }) =>
      verdict === 'rejected' ? [`${speaker_id}/${face_id}`] : face_id === null ? [`${speaker_id}`] : [],
    ),
  );
  const unlinked = [...state.faces.values()].filter(
    ({ face_id, speaker_id }) =>
      speaker_id !== null &&
      !settled.has(face_id) &&
      (goes.has(`${speaker_id}`) || goes.has(`${speaker_id}/${face_id}`)),
  );
  return [
    ...linked,
    ...unlinked.map((face) =>
      faceChange(face, { ...face, speaker_id: null, accuracy: null, personality_traits: null }),
    ),
  ];
};

/** Of a speaker and a face that people say belong together, nothing stands any more that ruled it out. */
export const ruledIn = ({ face_id, speaker_id }: { readonly face_id: FaceId; readonly speaker_id: SpeakerId }) => [
  { speaker_id, face_id, after: false },
  { speaker_id, face_id: null, after: false },
];

/** POST speaker-face-match/decisions (contract, Decisions of people). */
export const decideLinks = (
  state: RegisteredVideo,
  { decisions, audio, at }: DecideLinks,
): VideoDecision<'DecideLinks'> => {
  if (decisions.length === 0) return refuse({ _tag: 'EmptyDecisions' });
  const each = distinct(decisions);
  const contradiction = contradicted(each);
  if (contradiction !== undefined) {
    const { speaker_id, face_id } = contradiction;
    return refuse({ _tag: 'DuplicateDecision', speaker_id, face_id });
  }
  const { audio_id } = state;
  if (audio_id === null || audio === null) return refuse({ _tag: 'AudioMissing' });
  if (state.status !== 'completed') return refuse({ _tag: 'VideoUnprocessed', status: state.status });
  return pipe(
    known(each, state, audio),
    E.chain((all): VideoDecision<'DecideLinks'> => {
      const changes = faceChanges(state, all, audio);
      const ruled_out = editsTowards(
        state.ruled_out,
        all.flatMap(({ speaker_id, face_id, verdict }) =>
          verdict === 'confirmed' && face_id !== null
            ? ruledIn({ speaker_id, face_id })
            : [{ speaker_id, face_id, after: true }],
        ),
      );
      if (exceedsRuledOut(state.ruled_out, ruled_out)) return refuse({ _tag: 'TooManyDecisions', most: mostRuledOut });
      return changes.length === 0 && ruled_out.length === 0
        ? nothing
        : record<VideoEvent>({
            type: 'LinksDecided',
            data: { audio_id, changes, ruled_out, at: datedLast(at, state.faces, audio) },
          });
    }),
  );
};
