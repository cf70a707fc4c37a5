import { buildSpeech, sharedSeconds } from './build-speech.js';
import { type ImportedSpeech, type Interval, type SpeakerTurn, type Spoken, Tally } from './format.js';

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

const labelsOf = ({ speakers }: ImportedSpeech): ReadonlyMap<number, string> =>
  new Map(speakers.filter(({ synthetic }) => !synthetic).map(({ speaker_id, label }) => [speaker_id, label]));

/** A piece of the transcript and the turn at its time. */
interface Located {
  readonly piece: Spoken;
  readonly turn: SpeakerTurn | null;
  readonly turnLabel: string | null;
}

const locate = (turns: ImportedSpeech, pieces: ReadonlyArray<Spoken>): ReadonlyArray<Located> => {
  const find = turnFinder(turns.segments);
  const known = labelsOf(turns);
  return pieces
    .toSorted((a, b) => a.start - b.start)
    .map((piece) => {
      const turn = find(piece);
      const turnLabel = turn === null ? null : (known.get(turn.speaker_id) ?? null);
      return { piece, turn, turnLabel };
    });
};

/** Whether for some label most of the time of its pieces belongs to turns of others. */
const contradictTimes = (located: ReadonlyArray<Located>): boolean => {
  const seconds = new Map<string, { own: number; others: number }>();
  for (const { piece, turn, turnLabel } of located) {
    if (piece.speaker === null || turn === null) continue;
    const shared = Math.max(0, sharedSeconds(turn, piece));
    const sum = seconds.get(piece.speaker) ?? { own: 0, others: 0 };
    seconds.set(piece.speaker, sum);
    if (piece.speaker === turnLabel) sum.own += shared;
    else sum.others += shared;
  }
  return [...seconds.values()].some(({ own, others }) => others > own);
};

/**
 * Joins the turns of one file with the transcript of another. If both use the same speaker labels and these agree with
 * the times, labels decide; otherwise each word (or utterance, without words) goes to the speaker whose turn it overlaps
 * most. Names come from the file with the turns.
 */
export const joinSpeech = (turns: ImportedSpeech, words: ImportedSpeech): ImportedSpeech => {
  if (words.transcript === null) return turns;
  const [dropped, notes] = [new Tally(), new Tally()];
  const { grain, pieces } = words.transcript;
  const labels = [...labelsOf(words).values()];
  const known = labelsOf(turns);
  const located = locate(turns, pieces);
  const isSame = labels.length > 0 && labels.every((label) => [...known.values()].includes(label));
  const contradicts = isSame && contradictTimes(located);
  if (!isSame) notes.add('transcript with other speaker labels than the turns: assigned to speakers by time');
  if (contradicts) notes.add('transcript whose speaker labels contradict the times of the turns: assigned by time');
  const spoken = located.map(({ piece, turn, turnLabel }) => {
    if (isSame && !contradicts && piece.speaker !== null) return { ...piece, place: null };
    if (turn !== null && sharedSeconds(turn, piece) < 0)
      notes.add('word or utterance outside all turns: assigned to the nearest turn');
    return { ...piece, speaker: turnLabel, place: null };
  });
  const parts = {
    recording: turns.summary.recording,
    rows: words.summary.rows,
    [grain === 'word' ? 'words' : 'utterances']: spoken,
    turns: turns.segments.map((turn) => ({ ...turn, speaker: known.get(turn.speaker_id) ?? null, place: null })),
    names: new Map(turns.speakers.map(({ label, name }) => [label, name ?? ''])),
    roles: new Map(turns.speakers.flatMap(({ label, role }) => (role === null ? [] : [[label, role]]))),
  };
  return buildSpeech(parts, { dropped, notes }) ?? turns;
};
