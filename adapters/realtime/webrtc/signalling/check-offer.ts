import * as E from 'fp-ts/lib/Either.js';
import { checkCandidate } from './check-candidate.js';
import {
  attributes,
  type MediaSection,
  parseDescription,
  type SessionDescription,
  shown,
} from './session-description.js';

/** An offer that can be answered. */
export interface Offer {
  /** Without the candidates; those that can be reached are given to the connection one by one. */
  readonly sdp: string;
  readonly candidates: readonly { readonly candidate: string; readonly mid: string }[];
  readonly client: ClientConnection;
  readonly hasAudio: boolean;
}

/** What tells one peer connection of a client from another. */
export interface ClientConnection {
  readonly fingerprint: string;
  readonly ufrag: string;
  /** The session id of the o= line. */
  readonly origin: string;
}

/** Whether both are one connection: it keeps its certificate, and either its origin or, unless it restarts ICE, its ufrag. */
export const isSameConnection = (one: ClientConnection, other: ClientConnection): boolean =>
  one.fingerprint === other.fingerprint && (one.origin === other.origin || one.ufrag === other.ufrag);

/** In characters. */
export const longestDescription = 65_536;
const mostSections = 16;
const mostCandidates = 64;
const kinds = ['audio', 'video', 'application'];
const videoCodecs = ['vp8', 'h264', 'vp9', 'av1'];

const iceText = /^[A-Za-z0-9+/]+$/;
const hash = /^[A-Za-z0-9-]+ (?:[0-9A-Fa-f]{2}:){15,63}[0-9A-Fa-f]{2}$/;
const setups = ['actpass', 'active', 'passive'];
const mid = /^[!#$%&'*+.^_`{|}~A-Za-z0-9-]{1,32}$/;

const codecsOf = ({ lines, formats }: MediaSection): readonly string[] =>
  attributes(lines, 'rtpmap').flatMap((value) => {
    const [, type, name] = /^(\d{1,3}) ([^/ ]+)\/\d+/.exec(value) ?? [];
    return type !== undefined && formats.includes(type) && name !== undefined ? [name.toLowerCase()] : [];
  });

/** A transport attribute of a section, or of the description where the section has none. */
const inherited = (offer: SessionDescription, section: MediaSection, name: string): string | undefined =>
  attributes(section.lines, name)[0] ?? attributes(offer.lines, name)[0];

const credentialFault = (offer: SessionDescription, section: MediaSection): string | undefined => {
  const ufrag = inherited(offer, section, 'ice-ufrag');
  if (ufrag === undefined) return 'has no ice-ufrag';
  if (ufrag.length < 4 || ufrag.length > 256 || !iceText.test(ufrag)) return 'has an invalid ice-ufrag';
  const password = inherited(offer, section, 'ice-pwd');
  if (password === undefined) return 'has no ice-pwd';
  if (password.length < 22 || password.length > 256 || !iceText.test(password)) return 'has an invalid ice-pwd';
  const fingerprint = inherited(offer, section, 'fingerprint');
  if (fingerprint === undefined) return 'has no fingerprint';
  if (!hash.test(fingerprint)) return 'has an invalid fingerprint';
  if (!setups.includes(inherited(offer, section, 'setup') ?? '')) return 'has no setup of actpass, active or passive';
  return undefined;
};

const codecFault = (section: MediaSection): string | undefined => {
  if (section.kind === 'application') return undefined;
  if (!section.protocol.endsWith('TLS/RTP/SAVPF')) return `has the protocol ${section.protocol}, not UDP/TLS/RTP/SAVPF`;
  const codecs = codecsOf(section);
  if (section.kind === 'audio') return codecs.includes('opus') ? undefined : 'has no Opus payload type';
  return codecs.some((codec) => videoCodecs.includes(codec)) ? undefined : `has none of ${videoCodecs.join(', ')}`;
};

const sectionFault = (offer: SessionDescription, section: MediaSection): string | undefined => {
  if (!kinds.includes(section.kind)) return 'is neither audio nor video';
  const name = attributes(section.lines, 'mid')[0];
  if (name === undefined) return 'has no mid';
  if (!mid.test(name)) return 'has an invalid mid';
  return credentialFault(offer, section) ?? codecFault(section);
};

const fault = (offer: SessionDescription): string | undefined => {
  if (offer.sections.length > mostSections) return `it has more than ${mostSections} media sections`;
  if (!offer.sections.some(({ kind }) => kind === 'audio' || kind === 'video')) return 'it has no audio and no video';
  const mids = offer.sections.map(({ lines }) => attributes(lines, 'mid')[0]);
  if (new Set(mids).size < mids.length) return 'two media sections have the same mid';
  for (const [at, section] of offer.sections.entries()) {
    const wrong = sectionFault(offer, section);
    if (wrong !== undefined) return `media section ${at} (${shown(section.kind)}) ${wrong}`;
  }
  return undefined;
};

const candidatesOf = (offer: SessionDescription): Offer['candidates'] =>
  offer.sections
    .flatMap(({ lines }) => {
      const name = attributes(lines, 'mid')[0] ?? '';
      return attributes(lines, 'candidate').flatMap((value) => {
        const checked = checkCandidate(`candidate:${value}`);
        return E.isRight(checked) && checked.right.reachable ? [{ candidate: checked.right.line, mid: name }] : [];
      });
    })
    .slice(0, mostCandidates);

const clientOf = (offer: SessionDescription): ClientConnection => {
  const of = (name: string): string => {
    const first = offer.sections[0];
    return first === undefined ? '' : (inherited(offer, first, name) ?? '');
  };
  const origin = offer.lines.find((line) => line.startsWith('o='))?.split(' ')[1] ?? '';
  return { fingerprint: of('fingerprint'), ufrag: of('ice-ufrag'), origin };
};

/** Whether a text is an offer that can be answered; the reason, in words, where it is not. */
export const checkOffer = (sdp: string): E.Either<string, Offer> => {
  if (sdp.length > longestDescription) return E.left(`it is longer than ${longestDescription} characters`);
  const offer = parseDescription(sdp);
  if (typeof offer === 'string') return E.left(offer);
  const wrong = fault(offer);
  if (wrong !== undefined) return E.left(wrong);
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '' && !/^a=(?:candidate:|end-of-candidates)/.test(line));
  return E.right({
    sdp: `${lines.join('\r\n')}\r\n`,
    candidates: candidatesOf(offer),
    client: clientOf(offer),
    hasAudio: offer.sections.some(({ kind }) => kind === 'audio'),
  });
};
