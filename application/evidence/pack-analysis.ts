import type { SpeakerTurn, Utterance } from '../../domain/audio/events.js';
import type { SpeakerId, FaceId } from '../../domain/kernel/ids.js';
import type { AudioAnalysis } from '../use-cases/audios/record-audio-analysis.js';
import type { VideoAnalysis } from '../use-cases/videos/record-video-analysis.js';
import type { ReplacingTranscript } from '../use-cases/audios/change-audio.js';
import { packParts } from './packed-match.js';
import { presenceCollector } from './match-evidence.js';
import type { Box, Caption, FaceTracks, TalkingScore } from '../../domain/video/events.js';
import type { Interval } from '../../domain/kernel/interval.js';

/** The tracks of a face as `FaceTracks`, with any number of items. */
interface SeenFace {
  readonly face_id: FaceId;
  readonly tracks: Iterable<Interval>;
  readonly talking: Iterable<TalkingScore>;
  readonly captions: Iterable<Caption>;
  readonly boxes?: Iterable<Box>;
}

const maxItems = 1_000;

function* listsOf<Item>(items: Iterable<Item>): Iterable<ReadonlyArray<Item>> {
  let list: Item[] = [];
  for (const item of items) {
    list.push(item);
    if (list.length < maxItems) continue;
    yield list;
    list = [];
  }
  if (list.length > 0) yield list;
}

const interval = ({ start, end }: Interval): Interval => ({ start, end });

/** Splits a face's tracks into pieces that each fit a part. */
function* facePieces({ face_id, tracks, talking, captions, boxes = [] }: SeenFace): Iterable<FaceTracks> {
  const none = { face_id, tracks: [], talking: [], captions: [] };
  for (const piece of listsOf(tracks)) yield { ...none, tracks: piece.map(interval) };
  for (const piece of listsOf(talking))
    yield { ...none, talking: piece.map(({ start, end, score }) => ({ start, end, score })) };
  for (const piece of listsOf(captions))
    yield { ...none, captions: piece.map(({ start, end, text }) => ({ start, end, text })) };
  for (const piece of listsOf(boxes))
    yield { ...none, boxes: piece.map(({ at, left, top, width, height }) => ({ at, left, top, width, height })) };
}

type Digest = (text: string) => string;

/** An analysis of a video, with tracks as sent. */
export interface FullVideoAnalysis extends Omit<VideoAnalysis, 'faces' | 'tracks' | 'seen' | 'align'> {
  /** True if absent. */
  readonly align?: boolean;
  readonly faces: ReadonlyArray<VideoAnalysis['faces'][number] & SeenFace>;
}

/** An analysis of an audio, with turns and transcript as sent. */
export interface FullAudioAnalysis extends Omit<
  AudioAnalysis,
  'mentioned' | 'turns' | 'transcript' | 'keeps_transcript' | 'heard' | 'align'
> {
  /** True if absent. */
  readonly align?: boolean;
  readonly turns: Iterable<SpeakerTurn>;
  /** Null: not part of this analysis. */
  readonly transcript: Iterable<Utterance> | null;
}

function* piecesOf(faces: FullVideoAnalysis['faces']): Iterable<unknown> {
  for (const face of faces) yield* facePieces(face);
}

export const packVideoAnalysis = (
  { status, faces, align = true }: FullVideoAnalysis,
  digest: Digest,
): VideoAnalysis => {
  const seen = presenceCollector(faces.map(({ face_id }) => face_id));
  for (const { face_id, tracks } of faces) for (const track of tracks) seen.add(face_id, track);
  return {
    status,
    faces: faces.map(({ face_id, name, personality_traits }) => ({ face_id, name, personality_traits })),
    tracks: faces.length === 0 ? null : packParts(piecesOf(faces), digest),
    seen: seen.all(),
    align,
  };
};

/** The limit of collected speaker ids: more than an audio may declare, so an undeclared one is found. */
const maxMentioned = 200_001;

const turn = ({ speaker_id, start, end }: SpeakerTurn): SpeakerTurn => ({ speaker_id, start, end });
const utterance = ({ speaker_id, start, end, text }: Utterance): Utterance => ({ speaker_id, start, end, text });

/** The items in stored form; collects the speakers in them. */
function* collectSpeakers<Item extends { readonly speaker_id: SpeakerId }>(
  items: Iterable<Item>,
  plain: (item: Item) => Item,
  mentioned: Set<SpeakerId>,
): Iterable<Item> {
  for (const item of items) {
    if (mentioned.size < maxMentioned) mentioned.add(item.speaker_id);
    yield plain(item);
  }
}

const isEmpty = (items: Iterable<unknown>): boolean => {
  for (const _item of items) return false;
  return true;
};

export const packAudioAnalysis = (full: FullAudioAnalysis, digest: Digest): AudioAnalysis => {
  const { status, speakers, turns, transcript, provider_supplied, speech_segments, align = true } = full;
  const mentioned = new Set<SpeakerId>();
  const heard = presenceCollector(speakers.map(({ speaker_id }) => speaker_id));
  for (const spoken of turns) heard.add(spoken.speaker_id, spoken);
  return {
    status,
    speakers,
    heard: heard.all(),
    align,
    turns: isEmpty(turns) ? null : packParts(collectSpeakers(turns, turn, mentioned), digest),
    transcript:
      transcript === null || isEmpty(transcript)
        ? null
        : packParts(collectSpeakers(transcript, utterance, mentioned), digest),
    keeps_transcript: transcript === null,
    mentioned: [...mentioned],
    provider_supplied,
    speech_segments,
  };
};

export const packTranscript = (transcript: Iterable<Utterance>, digest: Digest): ReplacingTranscript => {
  const mentioned = new Set<SpeakerId>();
  let utterances = 0;
  const counted = function* (): Iterable<Utterance> {
    for (const item of collectSpeakers(transcript, utterance, mentioned)) {
      utterances += 1;
      yield item;
    }
  };
  const transcriptParts = packParts(counted(), digest);
  return { transcript: transcriptParts, utterances, mentioned: [...mentioned] };
};
