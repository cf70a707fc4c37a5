import * as E from 'fp-ts/lib/Either.js';
import { buildSpeech } from './build-speech.js';
import type { ImportedSpeech, ImportError, SpeakerTurn, Interval } from './imported.js';
import { Tally } from './tally.js';

const sharedSeconds = (a: Interval, b: Interval): number => Math.min(a.end, b.end) - Math.max(a.start, b.start);

/** Finds the turn that overlaps a piece most, or the nearest turn; null if there are none. Pieces have to come by time. */
const turnFinder = (segments: ReadonlyArray<SpeakerTurn>): ((piece: Interval) => SpeakerTurn | null) => {
  let next = 0;
  let open: SpeakerTurn[] = [];
  let last: SpeakerTurn | null = null;
  return (piece) => {
    for (let turn = segments[next]; turn !== undefined && turn.start <= piece.end; turn = segments[next]) {
      open.push(turn);
      next += 1;
    }
    const over = open.filter(({ end }) => end < piece.start);
    for (const turn of over) if (last === null || turn.end > last.end) last = turn;
    open = open.filter(({ end }) => end >= piece.start);
    const candidates = [...open, ...(last === null ? [] : [last]), ...segments.slice(next, next + 1)];
    const [best] = candidates.sort((a, b) => sharedSeconds(b, piece) - sharedSeconds(a, piece));
    return best ?? null;
  };
};

const labelsOf = ({ speakers }: ImportedSpeech): ReadonlyArray<string> =>
  speakers.filter(({ synthetic }) => !synthetic).map(({ label }) => label);

/** The speaker of a piece: by label if both files use the same labels, otherwise by time. */
const attribution = (turns: ImportedSpeech, words: ImportedSpeech, notes: Tally) => {
  const known = new Map(turns.speakers.map((speaker) => [speaker.speaker_id, speaker.label]));
  const own = new Map(words.speakers.filter(({ synthetic }) => !synthetic).map((s) => [s.speaker_id, s.label]));
  const labels = labelsOf(words);
  const same = labels.length > 0 && labels.every((label) => labelsOf(turns).includes(label));
  const find = turnFinder(turns.segments);
  if (!same) notes.add('transcript with other speaker labels than the turns: assigned to speakers by time');
  return (piece: Interval & { readonly speaker_id: number }): string | null => {
    const label = same ? own.get(piece.speaker_id) : undefined;
    if (label !== undefined) return label;
    const turn = find(piece);
    if (turn !== null && sharedSeconds(turn, piece) < 0)
      notes.add('word or utterance outside all turns: assigned to the nearest turn');
    return turn === null ? null : (known.get(turn.speaker_id) ?? null);
  };
};

/**
 * Joins the turns of one file with the transcript of another. If both use the same speaker labels, labels decide;
 * otherwise each word (or utterance, without words) goes to the speaker whose turn it overlaps most. Names come from the
 * file with the turns.
 */
export const joinSpeech = (turns: ImportedSpeech, words: ImportedSpeech): E.Either<ImportError, ImportedSpeech> => {
  if (words.transcript === null) return E.right(turns);
  const [dropped, notes] = [new Tally(), new Tally()];
  const labelOf = attribution(turns, words, notes);
  const labels = new Map(turns.speakers.map(({ speaker_id, label }) => [speaker_id, label]));
  const { grain, pieces } = words.transcript;
  return buildSpeech(
    {
      grain,
      spoken: pieces
        .toSorted((a, b) => a.start - b.start)
        .map((piece) => ({ ...piece, speaker: labelOf(piece), place: 0 })),
      turns: turns.segments.map((turn) => ({ ...turn, speaker: labels.get(turn.speaker_id) ?? '', place: 0 })),
      names: new Map(turns.speakers.map(({ label, name }) => [label, name ?? ''])),
      roles: new Map(turns.speakers.flatMap(({ label, role }) => (role === null ? [] : [[label, role]]))),
    },
    { recording: turns.summary.recording, rows: words.summary.rows },
    dropped,
    notes,
  );
};
