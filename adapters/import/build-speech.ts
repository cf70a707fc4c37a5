import * as E from 'fp-ts/lib/Either.js';
import { NameText } from '../../domain/kernel/names.js';
import type { ImportedSpeaker, ImportedSpeech, ImportError, ImportSummary, SpeakerTurn } from './imported.js';
import { personName, speakerIds } from './speaker-labels.js';
import { type LabelledTurn, type Place, type SpeechParts, type Spoken, faultAt } from './speech-parts.js';
import { byTime, totalSeconds } from './intervals.js';
import type { Tally } from './tally.js';
import { toUtterances } from './utterances.js';

/** A plausibility limit: a file with more speakers has mixed up its columns or ids. */
export const maxSpeakers = 1_000;

export const tooManySpeakers = (): string =>
  `more than ${maxSpeakers.toLocaleString('en')} speakers; are these really speaker labels?`;

/** The label of the synthetic speaker for everything that the file assigns to nobody. */
const unknownLabel = 'unknown';

interface Labels {
  readonly known: ReadonlyMap<string, Place>;
  readonly unknown: number;
}

const readLabels = (parts: ReadonlyArray<Spoken | LabelledTurn>): E.Either<ImportError, Labels> => {
  const known = new Map<string, Place>();
  let unknown = 0;
  for (const { speaker, start, end, place } of parts) {
    if (end < start) return E.left(faultAt(place, `the end, ${end} s, is before the start, ${start} s`));
    if (speaker === null) unknown += 1;
    else if (!known.has(speaker)) known.set(speaker, place);
    if (known.size > maxSpeakers) return E.left(faultAt(place, tooManySpeakers()));
  }
  return E.right({ known, unknown });
};

const toSpeakers = ({ known, unknown }: Labels, parts: SpeechParts): E.Either<ImportError, ImportedSpeaker[]> => {
  const speakers: ImportedSpeaker[] = [];
  for (const numbered of speakerIds([...known.keys()])) {
    const name = personName(parts.names?.get(numbered.label) ?? numbered.label);
    if (name !== null && !NameText.is(name))
      return E.left(faultAt(known.get(numbered.label) ?? '', "the speaker's name is longer than 500 characters"));
    speakers.push({ ...numbered, name, role: parts.roles?.get(numbered.label) ?? null });
  }
  if (unknown === 0) return E.right(speakers);
  const speaker_id = speakers.reduce((largest, speaker) => Math.max(largest, speaker.speaker_id), -1) + 1;
  return E.right([...speakers, { speaker_id, name: null, role: null, synthetic: true, label: unknownLabel }]);
};

const toSegments = (
  turns: ReadonlyArray<LabelledTurn | Spoken>,
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

const countWords = (grain: SpeechParts['grain'], spoken: ReadonlyArray<Spoken>): number =>
  grain === 'word'
    ? spoken.filter(({ text }) => /[\p{L}\p{N}]/u.test(text)).length
    : spoken.reduce((sum, { text }) => sum + (text.match(/\S+/g)?.length ?? 0), 0);

/** Numbers the speakers of a file and builds turns and utterances from its parts. Errors have their place in the file. */
export const buildSpeech = (
  parts: SpeechParts,
  summary: Pick<ImportSummary, 'recording' | 'rows'>,
  dropped: Tally,
  notes: Tally,
): E.Either<ImportError, ImportedSpeech> => {
  const spoken = (parts.spoken ?? []).filter(({ text }) => text.trim() !== '');
  const labels = readLabels([...(parts.turns ?? []), ...spoken]);
  if (E.isLeft(labels)) return labels;
  const speakers = toSpeakers(labels.right, parts);
  if (E.isLeft(speakers)) return speakers;
  notes.add('word or utterance without a speaker: assigned to a synthetic speaker', labels.right.unknown);
  const ids = new Map(speakers.right.map(({ label, synthetic, speaker_id }) => [synthetic ? null : label, speaker_id]));
  const idOf = (label: string | null): number => ids.get(label) ?? 0;
  const utterances = parts.grain === 'word' ? toUtterances(spoken) : spoken;
  const segments = toSegments(parts.turns ?? utterances, idOf, dropped);
  const transcript = {
    utterances: utterances
      .map(({ speaker, start, end, text }) => ({ speaker_id: idOf(speaker), start, end, text: text.trim() }))
      .sort(byTime),
    pieces: spoken.map(({ speaker, start, end, text, glued = false }) => {
      return { speaker_id: idOf(speaker), start, end, text, glued };
    }),
    words: countWords(parts.grain, spoken),
    grain: parts.grain,
  };
  return E.right({
    speakers: speakers.right,
    segments,
    transcript: parts.spoken === null ? null : transcript,
    summary: { ...summary, seconds: totalSeconds(segments), dropped: dropped.notes(), notes: notes.notes() },
  });
};
