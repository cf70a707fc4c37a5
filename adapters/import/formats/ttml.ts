import { type Caption, spokenInCaptions } from '../captions.js';
import { type XmlElement, type XmlFormat, withEnds, type Tally, refuse } from '../format.js';
import { faultOfSeconds, toMicrosecond } from '../times.js';
import { elementsIn, textIn } from '../xml.js';

/** Frames and ticks a second. */
interface Rates {
  readonly frames: number;
  readonly ticks: number;
}

const ratesOf = ({ attributes }: XmlElement): Rates => {
  const { frameRate, frameRateMultiplier = '1 1', subFrameRate = '1', tickRate } = attributes;
  const [times = 1, by = 1] = frameRateMultiplier.split(/[\s:]+/).map(Number);
  const frames = (Number(frameRate ?? 30) * times) / by;
  const ticks = Number(tickRate ?? (frameRate === undefined ? 1 : frames * Number(subFrameRate)));
  return frames > 0 && ticks > 0 ? { frames, ticks } : refuse('tt', 'frameRate and tickRate must be above 0');
};

const clock = /^(\d+):(\d\d):(\d\d(?:[.,]\d+)?)(?::(\d+(?:\.\d+)?))?$/;
const offset = /^(\d+(?:\.\d+)?)(h|m|s|ms|f|t)$/;

/** Seconds of `00:00:01.5`, `00:00:01:12` (frames), `1.5s`, `1500ms`, `36f` and `15t`; undefined for other texts. */
const secondsOf = (text: string | undefined, { frames, ticks }: Rates): number | undefined => {
  if (text === undefined) return undefined;
  const [, amount = '', unit = ''] = offset.exec(text.trim()) ?? [];
  const length: Readonly<Record<string, number>> = { h: 3600, m: 60, s: 1, ms: 1 / 1000, f: 1 / frames, t: 1 / ticks };
  const [whole, hours, minutes, seconds, frame = '0'] = clock.exec(text.trim()) ?? [];
  if (unit === '' && whole === undefined) return undefined;
  const value =
    unit === ''
      ? Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds?.replace(',', '.')) + Number(frame) / frames
      : Number(amount) * (length[unit] ?? 1);
  const fault = faultOfSeconds(value);
  return fault === null ? value : refuse(text, `time ${fault}`);
};

/** When an element is shown, as far as it or an element around it says; `from`: what its times count from. */
interface Span {
  readonly from: number;
  readonly start?: number | undefined;
  readonly end?: number | undefined;
}

/** A caption whose text is not complete; line breaks separate its lines. */
interface Open extends Omit<Span, 'from'> {
  readonly agent: string | undefined;
  text: string;
}

const spanOf = ({ attributes }: XmlElement, { from, ...outer }: Span, rates: Rates): Span => {
  const [begin, end, dur] = ['begin', 'end', 'dur'].map((name) => secondsOf(attributes[name], rates));
  const start = begin === undefined ? outer.start : from + begin;
  const ends = [
    outer.end,
    end === undefined ? undefined : from + end,
    dur === undefined ? undefined : (start ?? from) + dur,
  ];
  const last = Math.min(...ends.map((one) => one ?? Infinity));
  return { from: start ?? from, start, end: last === Infinity ? undefined : last };
};

/** Metadata and animation. */
const notShown = new Set(['metadata', 'title', 'desc', 'copyright', 'agent', 'set', 'animate']);

/** The captions in the body: paragraphs, and spans that have times or agents of their own. */
const captionsIn = (body: XmlElement, rates: Rates, dropped: Tally): ReadonlyArray<Open> => {
  const captions: Open[] = [];
  const visit = (element: XmlElement, outer: Span, agent: string | undefined, around: Open | null): Span => {
    const { name, attributes } = element;
    const own = spanOf(element, outer, rates);
    const speaker = attributes['agent'] ?? agent;
    const isTimed = ['begin', 'end', 'dur', 'agent'].some((key) => attributes[key] !== undefined);
    const opens = name === 'p' || (name === 'span' && isTimed);
    const caption = opens ? { start: own.start, end: own.end, agent: speaker, text: '' } : around;
    if (opens && caption !== null) captions.push(caption);
    let next = own;
    for (const child of element.children) {
      if (typeof child === 'string') {
        if (caption !== null) caption.text += child.replaceAll(/\s+/g, ' ');
        else if (child.trim() !== '') dropped.add('text outside paragraphs');
      } else if (child.name === 'br') {
        if (caption !== null) caption.text += '\n';
      } else if (child.attributes['ruby'] === 'text') dropped.add('ruby text');
      else if (!notShown.has(child.name)) {
        const shown = visit(child, next, speaker, caption);
        if (attributes['timeContainer'] === 'seq') next = { ...own, from: shown.end ?? shown.from };
      }
    }
    return own;
  };
  visit(body, { from: 0 }, undefined, null);
  return captions;
};

/** The names of the agents; an agent without a name is its id. */
const agentsOf = (root: XmlElement): ReadonlyMap<string, string> =>
  new Map(
    elementsIn(root, 'agent').map((agent) => {
      const names = elementsIn(agent, 'name');
      const name = names.find(({ attributes }) => attributes['type'] === 'full') ?? names[0];
      const id = agent.attributes['id'] ?? '';
      return [id, (name === undefined ? '' : textIn(name).trim()) || id];
    }),
  );

/**
 * TTML, the W3C's Timed Text Markup Language 1 and 2, with its profiles IMSC, EBU-TT-D and DFXP: captions in paragraphs,
 * whose agents are the speakers. Times are clock times, frames, ticks and offsets (w3.org/TR/ttml2, "Timing").
 */
export const ttml: XmlFormat = {
  name: 'ttml',
  reads: 'xml',
  recognises: ({ name }) => name === 'tt',
  read: (root, reading) => {
    const { dropped, notes } = reading;
    const rates = ratesOf(root);
    const agents = agentsOf(root);
    const given = elementsIn(root, 'body')
      .flatMap((body) => captionsIn(body, rates, dropped))
      .filter(({ text }) => text.trim() !== '');
    const timed = given.flatMap(({ start, ...rest }) =>
      start === undefined && rest.end === undefined ? [] : [{ ...rest, start: toMicrosecond(start ?? 0) }],
    );
    dropped.add('paragraph without times', given.length - timed.length);
    const captions = withEnds(timed.toSorted((a, b) => a.start - b.start)).map((one): Caption => {
      const ids = one.agent?.trim().split(/\s+/) ?? [];
      if (ids.length > 1) notes.add('caption of several agents: its speaker is the first one');
      const [id = ''] = ids;
      const text = one.text.split('\n').map((line) => line.replaceAll(/\s+/g, ' ').trim());
      return {
        start: one.start,
        end: toMicrosecond(one.end),
        speaker: (agents.get(id) ?? id) || null,
        place: null,
        text: text.filter((line) => line !== ''),
      };
    });
    const utterances = spokenInCaptions(captions, { inherits: false, rolls: true }, reading);
    return { rows: given.length, utterances, missing: 'no paragraph with text and times' };
  },
};
