import {
  type DocumentParts,
  type LabelledTurn,
  type Reading,
  type Spoken,
  Tally,
  type ImportedSpeaker,
  type ImportedSpeech,
  type Interval,
  type Place,
  refuse,
  type SpeakerTurn,
} from './format.js';
import { byTime, totalSeconds } from './intervals.js';
import { normalLabel, personName, speakerIds } from './speaker-labels.js';

/** A longer pause of the speaker begins a new utterance. */
const pauseSeconds = 1;

/** Scripts without spaces between words. */
const unspaced =
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}]/u;

/** That no space stands before a word of a script without spaces says nothing. */
const isRest = ({ glued = false, text }: Spoken): boolean => glued && !unspaced.test(text);

const follows = (last: Spoken, next: Spoken): boolean =>
  last.speaker === next.speaker &&
  (isRest(next) || (next.start - last.end <= pauseSeconds && last.start - next.end <= pauseSeconds));

/** So many are joined at once: a list of a million would double in memory several times. */
const partsAtOnce = 1_000;

const textOf = (spoken: ReadonlyArray<Spoken>): string => {
  const pieces: string[] = [];
  let parts: string[] = [];
  let last = '';
  for (const { text, glued = false } of spoken) {
    const said = text.trim();
    const isSpaced = last !== '' && !glued && !(unspaced.test(said) && unspaced.test(last.slice(-1)));
    if (isSpaced) parts.push(' ');
    parts.push(said);
    last = said;
    if (parts.length < partsAtOnce) continue;
    pieces.push(parts.join(''));
    parts = [];
  }
  return [...pieces, ...parts].join('');
};

/**
 * Builds utterances from words: one ends when the speaker changes or pauses for more than 1 s. It covers all its words,
 * in whatever order they come.
 */
const toUtterances = (words: ReadonlyArray<Spoken>): ReadonlyArray<Spoken> => {
  const runs: [Spoken, ...Spoken[]][] = [];
  for (const word of words) {
    const run = runs.at(-1);
    const last = run?.at(-1);
    if (run === undefined || last === undefined || !follows(last, word)) runs.push([word]);
    else run.push(word);
  }
  return runs.map((run) => ({
    ...run[0],
    start: run.reduce((earliest, { start }) => Math.min(earliest, start), run[0].start),
    end: run.reduce((latest, { end }) => Math.max(latest, end), run[0].end),
    text: textOf(run),
    glued: false,
  }));
};

/** A plausibility limit: a file with more speakers has mixed up its columns or ids. */
const maxSpeakers = 1_000;
const maxName = 200;

/** The label of the synthetic speaker for everything that the file assigns to nobody. */
const unknownLabel = 'unknown';

/** Counts one after the other: a list of a million words is too much. */
const wordsIn = (text: string): number => {
  const word = /\S+/g;
  let count = 0;
  while (word.test(text)) count += 1;
  return count;
};

/** Whether a text has anything that can be said; a dash or a note sign has not. */
const isSpeech = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** Leaves out what ends before it starts; if there is nothing else, it is refused. */
const withoutBackwards = <Piece extends LabelledTurn>(
  pieces: ReadonlyArray<Piece>,
  what: string,
  dropped: Tally,
): ReadonlyArray<Piece> => {
  const sound = pieces.filter(({ start, end }) => end >= start);
  dropped.add(`${what} whose end lies before its start`, pieces.length - sound.length);
  const [first] = pieces;
  if (first !== undefined && sound.length === 0)
    refuse(first.place, `the end, ${first.end} s, is before the start, ${first.start} s`);
  return sound;
};

/**
 * Speakers of different channels get different labels, but for people with names. In a single channel its number says
 * nothing.
 */
const byChannel = <Piece extends LabelledTurn>(
  pieces: ReadonlyArray<Piece>,
  channels: number,
): ReadonlyArray<Piece> => {
  const names = new Map<string, boolean>();
  const isName = (label: string): boolean => {
    const known = names.get(label) ?? personName(label) !== null;
    names.set(label, known);
    return known;
  };
  return pieces.map((piece) => {
    const own = piece.speaker === null ? null : normalLabel(piece.speaker) || null;
    const isAlone = piece.channel === undefined || channels < 2 || (own !== null && isName(own));
    const speaker = isAlone ? own : `channel ${piece.channel}${own === null ? '' : ` ${own}`}`;
    return speaker === piece.speaker ? piece : { ...piece, speaker };
  });
};

const placesOf = (pieces: ReadonlyArray<LabelledTurn>): ReadonlyMap<string, Place> => {
  const places = new Map<string, Place>();
  for (const { speaker, place } of pieces) {
    if (speaker !== null && !places.has(speaker)) places.set(speaker, place);
    if (places.size > maxSpeakers)
      refuse(place, `more than ${maxSpeakers.toLocaleString('en')} speakers; are these really speaker labels?`);
  }
  return places;
};

const toSpeakers = (
  pieces: ReadonlyArray<LabelledTurn>,
  { names, roles }: DocumentParts,
): ReadonlyArray<ImportedSpeaker> => {
  const places = placesOf(pieces);
  const speakers = speakerIds([...places.keys()]).map((numbered): ImportedSpeaker => {
    const own = numbered.label.replace(/^channel \S+ (?=.)/, '');
    const name = personName(names?.get(numbered.label) ?? names?.get(own) ?? own);
    if (name !== null && name.length > maxName)
      refuse(places.get(numbered.label) ?? null, "the speaker's name is longer than 200 characters");
    return { ...numbered, name, role: roles?.get(numbered.label) ?? roles?.get(own) ?? null };
  });
  if (pieces.every(({ speaker }) => speaker !== null)) return speakers;
  const speaker_id = speakers.reduce((largest, speaker) => Math.max(largest, speaker.speaker_id), -1) + 1;
  return [...speakers, { speaker_id, name: null, role: null, synthetic: true, label: unknownLabel }];
};

const toSegments = (
  turns: ReadonlyArray<LabelledTurn>,
  idOf: (label: string | null) => number,
  dropped: Tally,
): ReadonlyArray<SpeakerTurn> => {
  const sorted = turns
    .map(({ speaker, start, end }) => ({ speaker_id: idOf(speaker), start, end }))
    .sort((a, b) => byTime(a, b) || a.speaker_id - b.speaker_id);
  return sorted.filter((turn, index) => {
    const before = sorted[index - 1];
    const repeats = before !== undefined && byTime(before, turn) === 0 && before.speaker_id === turn.speaker_id;
    if (repeats) dropped.add('duplicate turn');
    else if (turn.end === turn.start) dropped.add('turn without duration');
    return !repeats && turn.end > turn.start;
  });
};

const channelsOf = (...lists: ReadonlyArray<ReadonlyArray<LabelledTurn>>): number => {
  const channels = new Set<unknown>();
  for (const list of lists) for (const { channel } of list) if (channel !== undefined) channels.add(channel);
  return channels.size;
};

const withoutSpeaker = (pieces: ReadonlyArray<LabelledTurn>): number =>
  pieces.filter(({ speaker }) => speaker === null).length;

const utterancesOf = (
  grain: 'word' | 'utterance',
  spoken: ReadonlyArray<Spoken>,
  dropped: Tally,
): ReadonlyArray<Spoken> => {
  const whole = (grain === 'word' ? toUtterances(spoken) : spoken).map((one) => ({ ...one, text: one.text.trim() }));
  const said = whole.filter(({ text }) => isSpeech(text));
  dropped.add('text without a letter or number, such as a dash', whole.length - said.length);
  return said;
};

/**
 * Numbers the speakers of a document and builds turns and utterances from its parts. Null if it has neither. Errors have
 * their place in the file.
 */
export const buildSpeech = (parts: DocumentParts, { dropped, notes }: Reading): ImportedSpeech | null => {
  const { recording = null, rows, utterances: whole, words = [] } = parts;
  const grain: 'word' | 'utterance' = whole === undefined ? 'word' : 'utterance';
  const said = (whole ?? words).filter(({ text }) => text.trim() !== '');
  const given = withoutBackwards(said, 'piece of text', dropped);
  const heard = withoutBackwards(parts.turns ?? [], 'turn', dropped);
  const channels = channelsOf(given, heard);
  const spoken = byChannel(given, channels);
  const utterances = utterancesOf(grain, spoken, dropped);
  const turns = byChannel(heard, channels);
  if (utterances.length === 0 && turns.length === 0) return null;
  const speakers = toSpeakers([...turns, ...utterances], parts);
  const unknown = withoutSpeaker(turns) + withoutSpeaker(grain === 'word' ? spoken : utterances);
  notes.add('word or utterance without a speaker: assigned to a synthetic speaker', unknown);
  const ids = new Map(speakers.map(({ label, synthetic, speaker_id }) => [synthetic ? null : label, speaker_id]));
  const idOf = (label: string | null): number => ids.get(label) ?? 0;
  const segments = toSegments(turns.length === 0 ? utterances : turns, idOf, dropped);
  const transcript = {
    utterances: utterances
      .map(({ speaker, start, end, text }) => ({ speaker_id: idOf(speaker), start, end, text }))
      .sort(byTime),
    pieces: spoken.filter(({ speaker }) => ids.has(speaker)),
    words: utterances.reduce((sum, { text }) => sum + wordsIn(text), 0),
    grain,
  };
  return {
    speakers,
    segments,
    transcript: utterances.length === 0 ? null : transcript,
    summary: { recording, rows, seconds: totalSeconds(segments), dropped: dropped.notes(), notes: notes.notes() },
  };
};

/** The summed length of what two intervals share; negative: the distance between them. */
export const sharedSeconds = (a: Interval, b: Interval): number => Math.min(a.end, b.end) - Math.max(a.start, b.start);

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
