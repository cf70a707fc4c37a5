import * as E from 'fp-ts/lib/Either.js';
import type { RealtimeEngine } from '../../../application/ports/realtime-engine.js';
import { sessionId } from '../values.js';
import { browserOffer, hostCandidate } from './offers.js';

/** Texts that often break parsers. */
const hostileTexts = [
  '',
  ' ',
  '0',
  '-1',
  '65536',
  '4294967296',
  '1e309',
  'NaN',
  '%s%n',
  '\u0000',
  '\u2028',
  '💥',
  'a'.repeat(3_000),
];
const lines = [
  'm=audio 9 UDP/TLS/RTP/SAVPF 111',
  'm=application 9 UDP/DTLS/SCTP webrtc-datachannel',
  'a=group:BUNDLE',
  'a=rtpmap:111 opus/48000/2',
  'a=fmtp:250 x=1',
  'a=rtcp-fb:* nack',
  'a=simulcast:send 1;2',
  'a=rid:1 send',
  'a=ssrc-group:FID 1',
  'a=sctp-port:99999',
  'a=mid:0',
  'a=inactive',
  'a=ice-lite',
  'a=setup:passive',
  'a=candidate:1 1 udp 1 127.0.0.1 9 typ host',
  'c=IN IP6 ::1',
];

const pick = <A>(from: readonly A[], random: () => number, otherwise: A): A =>
  from[Math.floor(random() * from.length)] ?? otherwise;

/** A text with one random change. */
const mutatedText = (text: string, random: () => number): string => {
  const at = Math.floor(random() * (text.length + 1));
  const to = Math.min(text.length, at + Math.floor(random() * 8));
  return text.slice(0, at) + pick(hostileTexts, random, '') + text.slice(to);
};

const mutations: readonly ((at: number, of: readonly string[], random: () => number) => readonly string[])[] = [
  (at, of) => of.toSpliced(at, 1),
  (at, of, random) => of.toSpliced(at, 0, of[Math.floor(random() * of.length)] ?? ''),
  (at, of, random) => of.toSpliced(at, 0, pick(lines, random, '')),
  (at, of, random) => of.toSpliced(at, 1, mutatedText(of[at] ?? '', random)),
  (at, of, random) =>
    of.toSpliced(
      at,
      1,
      (of[at] ?? '').replace(/\d+/, () => pick(hostileTexts, random, '')),
    ),
  (at, of, random) =>
    of.toSpliced(
      at,
      1,
      (of[at] ?? '')
        .split(' ')
        .toSpliced(Math.floor(random() * 4), 1)
        .join(' '),
    ),
  (at, of) => of.slice(0, at),
  (at, of, random) => {
    const other = Math.floor(random() * of.length);
    return of.with(at, of[other] ?? '').with(other, of[at] ?? '');
  },
];

/** An offer with up to four changed lines. */
const mutatedOffer = (offer: string, random: () => number): string => {
  let out: readonly string[] = offer.split('\r\n');
  for (let left = 1 + Math.floor(random() * 4); left > 0 && out.length > 0; left -= 1) {
    const mutate = mutations[Math.floor(random() * mutations.length)];
    if (mutate !== undefined) out = mutate(Math.floor(random() * out.length), out, random);
  }
  return out.join(random() < 0.05 ? '\n' : '\r\n');
};

/** A candidate with up to three random changes. */
const mutatedCandidate = (candidate: string, random: () => number): string => {
  let out = candidate;
  for (let left = Math.floor(random() * 4); left > 0; left -= 1)
    out = random() < 0.5 ? mutatedText(out, random) : out.replace(/\d+/, () => pick(hostileTexts, random, ''));
  return out;
};

export interface FuzzOutcome {
  readonly answered: number;
  readonly refused: number;
  readonly candidatesTaken: number;
  readonly candidatesRefused: number;
  /** Reasons of requests that the engine failed to answer; there must be none. */
  readonly unavailable: readonly string[];
}

/** Gives an engine `count` malformed offers, each with a malformed candidate, one session after the other. */
export const fuzzEngine = async (
  engine: RealtimeEngine,
  count: number,
  random: () => number,
  progress: (done: number) => void = () => undefined,
): Promise<FuzzOutcome> => {
  const unavailable: string[] = [];
  let answered = 0;
  let candidatesTaken = 0;
  const note = (outcome: E.Either<{ readonly _tag: string; readonly reason: string }, unknown>): number => {
    if (E.isRight(outcome)) return 1;
    if (outcome.left._tag === 'EngineUnavailable') unavailable.push(outcome.left.reason);
    return 0;
  };
  for (let at = 0; at < count; at += 1) {
    const id = sessionId(`fuzz-${at}`);
    answered += note(await engine.negotiate(id, mutatedOffer(browserOffer, random), () => undefined)());
    const candidate = { candidate: mutatedCandidate(hostCandidate, random), sdp_mid: '0', sdp_m_line_index: 0 };
    candidatesTaken += note(await engine.addCandidate(id, candidate)());
    note(await engine.close(id)());
    progress(at + 1);
  }
  const refused = count - answered;
  return { answered, refused, candidatesTaken, candidatesRefused: count - candidatesTaken, unavailable };
};
