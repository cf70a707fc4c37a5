import { isRealName } from '../../domain/kernel/names.js';

/** Marks of byte order and direction, and spaces without width: they do not tell one name from another. */
const invisible = /[\uFEFF\u00AD\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069]/g;

/** A label in the form in which labels are compared: composed, without invisible marks, with single spaces. */
export const normalLabel = (label: string): string =>
  label.replaceAll(invisible, '').normalize('NFC').replaceAll(/\s+/g, ' ').trim();

/** What tools call a speaker, a person, a channel or a track, in the languages that they write. */
const speakerWords = new Set(
  [
    'speaker|spk|spkr|person|participant|face|guest|attendee|user|unknown|unnamed|unidentified|channel|chan|ch|track',
    'sprecher|sprecherin|redner|rednerin|person|teilnehmer|teilnehmerin|unbekannt|kanal|gast',
    'locuteur|locutrice|intervenant|intervenante|orateur|oratrice|personne|inconnu|canal|piste',
    'hablante|voz|voces|voix|stimme|voce|orador|oradora|locutor|locutora|interlocutor|interlocutora|persona|participante|desconocido|ponente',
    'falante|pessoa|desconhecido|parlante|oratore|oratrice|relatore|sconosciuto|canale',
    'spreker|deelnemer|onbekend|persoon|talare|talar|taler|højttaler|puhuja|osallistuja|tuntematon|okänd|ukendt|ukjent',
    'mówca|mówczyni|osoba|nieznany|mluvčí|řečník|osoba|neznámý|hovoriaci|rečník|beszélő|ismeretlen|vorbitor|vorbitorul',
    'govornik|govorac|konuşmacı|konusmaci|bilinmeyen|ομιλητής|ομιλήτρια|άγνωστος',
    'спикер|говорящий|диктор|участник|неизвестный|собеседник|канал|спікер|мовець|учасник|доповідач|говорител|говорник',
    'pembicara|penutur|penceramah|người|nói|diễn|giả|ผู้พูด|วิทยากร|वक्ता|স্পিকার|বক্তা|பேச்சாளர்',
    'متحدث|المتحدث|المتكلم|متكلم|گوینده|دובר|דובר|דוברת',
    '说话人|說話人|说话者|說話者|话者|讲话人|讲话者|講者|讲者|发言人|發言人|演讲者|話者|話し手|発言者|発話者|スピーカー|参加者',
    '화자|발화자|참석자|참가자|스피커',
  ].flatMap((words) => words.split('|')),
);

/** Roles, and words for what is no person. */
const otherWords = [
  'agent|customer|host|interviewer|interviewee|narrator|operator|caller|client|representative|rep|moderator|system|bot',
  'agente?|client[ea]?|kund(?:e|in)|oper(?:ador|atore|ateur)a?|moder(?:ador|atore|ateur)a?|modérateur|gastgeber(?:in)?',
  'moderatorin|entrevistador|entrevistado|presentador|animateur|anfitrión|intervistatore|intervieweur',
  'клиент|оператор|агент|хост|модератор|ведущий|ведущая|интервьюер|ведучий|клієнт',
  '客户|客戶|客服|顾客|顧客|坐席|主持人?|嘉宾|司会者?|お客様|オペレーター|インタビュアー|고객|상담[원사]|진행자|사회자|주최자',
  '不明|未知|不详|未识别|알 ?수 ?없음|미상|غير معروف|مجهول|לא ידוע|अज्ञात',
  'voice|all|both|man|woman|boy|girl|child|male|female|men|women|crowd|audience|everyone|others?|m|f',
  'speech|non-?speech|noise|silence|music|sound|sounds|sfx|fx|effects?|sound effects?|overlap|laughter|applause|song',
  'unk|n/?a|none|null|nan|undefined|no ?name|no ?speaker|mixed|mix|left|right|mono|stereo|audio',
].join('|');

/** What may stand beside such a word: a number, a letter, the word for number. */
const isCount = (part: string): boolean =>
  /^(?:\d+|[a-z]|no|nr|in|one|two|three|four|five|six|seven|eight|nine|ten)$/.test(part);

const isSpeakerWord = (part: string): boolean =>
  speakerWords.has(part) || speakerWords.has(part.replace(/(\P{Script=Latin})[a-z]$/u, '$1'));

/** `Speaker 1`, `Sprecher_2`, `说话人A`, `channel 0 speaker 1`: words for a speaker and counts, and nothing else. */
const isNumbered = (label: string): boolean => {
  const parts = label.toLowerCase().match(/[\p{L}\p{M}]+|\d+/gu) ?? [];
  return parts.some(isSpeakerWord) && parts.every((part) => isSpeakerWord(part) || isCount(part));
};

/** Labels that tools generate for people whose names they do not know. A label is generated if the whole of it is. */
const generatedLabels = [
  /^[^\p{L}]*$/u,
  /^(?:[a-z]|[a-z]{1,2}\d+|\d+[a-z]{1,2}|uu)$/i,
  new RegExp(`^(?:${otherWords})(?: ?#?\\d+)?$`, 'iu'),
  // Codes such as FEE005, MTD013PM, spkr1r and id10270, and ids such as 3f2a9c1e-….
  /^[A-Z]{2,5}[-_]?\d{2,}[A-Z]{0,3}$/,
  /^(?:spkr?|speaker|id|seg|cluster|track|face)[-_]?\d+[a-z]?$/i,
  /^(?=.*\d)[0-9a-f]{8,}(?:-[0-9a-f]{4,})*$/i,
];

/** No generated label is longer, and the patterns are not for long texts. */
const longestLabel = 500;

/** The label as a person's name; null for a label that a tool generated, a role and a word for what is no person. */
export const personName = (label: string): string | null => {
  const name = normalLabel(label);
  if (name.length > longestLabel) return name;
  const bare = name.replace(/^[([{<"']+(.*?)[)\]}>"']+$/u, '$1');
  return isRealName(name) && !isNumbered(bare) && !generatedLabels.some((pattern) => pattern.test(bare)) ? name : null;
};

const numbered = /^(\D*)(\d{1,9})$/;

/**
 * Speaker ids for the labels of a file, independent of their order. If all labels are one word with different numbers
 * (`spk00`, `SPEAKER_07`), the number is the id, so that speakers keep their ids when another part of the file is
 * imported. Otherwise the sorted labels get 0, 1, 2 ….
 */
export const speakerIds = (
  labels: ReadonlyArray<string>,
): ReadonlyArray<{ readonly speaker_id: number; readonly synthetic: false; readonly label: string }> => {
  const sorted = [...new Set(labels)].sort();
  const matches = sorted.map((label) => numbered.exec(label));
  const numbers = matches.map((match) => (match === null ? null : Number(match[2])));
  const oneWord = new Set(matches.map((match) => match?.[1])).size === 1;
  const keepsNumbers = oneWord && !numbers.includes(null) && new Set(numbers).size === numbers.length;
  return sorted
    .map((label, index) => ({
      speaker_id: (keepsNumbers ? numbers[index] : index) ?? index,
      synthetic: false as const,
      label,
    }))
    .sort((a, b) => a.speaker_id - b.speaker_id);
};
