import type { SpeakerTurn, Utterance } from '../../domain/audio/speech.js';
import type { RegisteredAudio, SpeakerChange } from '../../domain/audio/state.js';
import type { DomainEvent } from '../../domain/event-catalogue.js';
import { FaceId, SpeakerId } from '../../domain/kernel/ids.js';
import type { Interval } from '../../domain/kernel/interval.js';
import type { Box, Caption, TalkingScore } from '../../domain/video/face-tracks.js';
import type { RegisteredVideo } from '../../domain/video/state.js';
import type { Uses } from '../application.js';
import type { EvidenceSource } from './evidence-page.js';
import { speakerIn } from './match-evidence.js';
import { type Evidence, partReader } from './part-reader.js';

interface Turn extends Evidence, SpeakerTurn {}
interface SpokenUtterance extends Evidence, Utterance {}
/** A track, a talking score, a caption or a box of a face. */
export type FaceEvidence = Evidence &
  (
    | { readonly kind: 'tracks'; readonly value: Interval }
    | { readonly kind: 'talking'; readonly value: TalkingScore }
    | { readonly kind: 'captions'; readonly value: Caption }
    | { readonly kind: 'boxes'; readonly value: Box }
  );

/** The sources of evidence that clients may read. Null for a record without such evidence. */
export interface EvidenceLists {
  /** Boxes are included if they are wanted. */
  readonly tracks: (video: RegisteredVideo, withBoxes: boolean) => EvidenceSource<FaceEvidence> | null;
  readonly segments: (audio: RegisteredAudio) => EvidenceSource<Turn> | null;
  readonly transcript: (audio: RegisteredAudio) => EvidenceSource<SpokenUtterance> | null;
}

const intervalSize = 60;
const textSize = 100;
const boxSize = 120;
/** A box is of a moment, but what ends with a page's time span is not in it: it lasts a microsecond. */
const boxSeconds = 1e-6;

const spanOf = ({ start, end }: Interval): Interval => ({ start, end });

const faceEvidence =
  (withBoxes: boolean) =>
  (event: DomainEvent): ReadonlyArray<FaceEvidence> => {
    if (event.type !== 'FaceTracksRecorded') return [];
    return event.data.faces.flatMap(
      ({ face_id: subject, tracks, talking, captions, boxes = [] }): ReadonlyArray<FaceEvidence> => [
        ...tracks.map((value) => ({ kind: 'tracks' as const, value, subject, ...spanOf(value), size: intervalSize })),
        ...talking.map((value) => ({ kind: 'talking' as const, value, subject, ...spanOf(value), size: intervalSize })),
        ...captions.map((value) => ({
          kind: 'captions' as const,
          value,
          subject,
          ...spanOf(value),
          size: textSize + value.text.length,
        })),
        ...(withBoxes ? boxes : []).map((value) => ({
          kind: 'boxes' as const,
          value,
          subject,
          start: value.at,
          end: value.at + boxSeconds,
          size: boxSize,
        })),
      ],
    );
  };

const turns = (event: DomainEvent): ReadonlyArray<Turn> =>
  event.type === 'SpeakerTurnsRecorded'
    ? event.data.turns.map(({ speaker_id, start, end }) => ({
        speaker_id,
        start,
        end,
        subject: speaker_id,
        size: intervalSize,
      }))
    : [];

const utterances = (event: DomainEvent): ReadonlyArray<SpokenUtterance> =>
  event.type === 'TranscriptRecorded'
    ? // Field by field: spreading takes several times as long.
      event.data.utterances.map(({ speaker_id, start, end, text }) => ({
        speaker_id,
        start,
        end,
        text,
        subject: speaker_id,
        size: textSize + text.length,
      }))
    : [];

/** Maps recorded speakers to current ones. */
const currentSpeakers = (changes: ReadonlyArray<SpeakerChange>): ((recorded: number) => number | null) => {
  const speakerOf = speakerIn(changes);
  return (recorded) => (SpeakerId.is(recorded) ? speakerOf(recorded) : null);
};

const isFaceOf = (faces: RegisteredVideo['faces'], recorded: number): boolean =>
  FaceId.is(recorded) && faces.has(recorded);

export const evidenceLists = (log: Uses<'store' | 'onErasure'>): EvidenceLists => {
  const faceReader = partReader(log, faceEvidence(false));
  const boxReader = partReader(log, faceEvidence(true));
  const turnReader = partReader(log, turns);
  const utteranceReader = partReader(log, utterances);
  return {
    tracks: ({ video_id, tracks: chunks, faces }, withBoxes) =>
      chunks && {
        reader: withBoxes ? boxReader : faceReader,
        stream: `faceTracks-${video_id}`,
        chunks,
        currentId: (recorded) => (isFaceOf(faces, recorded) ? recorded : null),
      },
    segments: ({ audio_id, turns: chunks, changes }) =>
      chunks && {
        reader: turnReader,
        stream: `speakerTurns-${audio_id}`,
        chunks,
        currentId: currentSpeakers(changes.turns),
      },
    transcript: ({ audio_id, transcript: chunks, changes }) =>
      chunks && {
        reader: utteranceReader,
        stream: `transcript-${audio_id}`,
        chunks,
        currentId: currentSpeakers(changes.transcript),
      },
  };
};
