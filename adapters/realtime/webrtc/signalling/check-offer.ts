import * as E from 'fp-ts/lib/Either.js';
import { checkCandidate } from './check-candidate.js';
import {
  attributes,
  type MediaSection,
  parseDescription,
  type SessionDescription,
  quoted,
} from './session-description.js';

/** An offer that can be answered. */
export interface Offer {
  /** The description without its candidates. */
  readonly sdp: string;
  /** The reachable candidates, which are added to the connection one by one. */
  readonly candidates: readonly { readonly candidate: string; readonly mid: string }[];
  readonly client: ClientConnection;
  readonly hasAudio: boolean;
}

/** What identifies one peer connection of a client. */
export interface ClientConnection {
  readonly fingerprint: string;
  readonly ufrag: string;
  /** The session id of the o= line. */
  readonly origin: string;
}

/** Whether both are the same connection: it keeps its certificate, and its origin or (if ICE is not restarted) its ufrag. */
export const isSameConnection = (one: ClientConnection, other: ClientConnection): boolean =>
  one.fingerprint === other.fingerprint && (one.origin === other.origin || one.ufrag === other.ufrag);

/** In characters. */
export const maxDescriptionLength = 65_536;
const maxSections = 16;
const maxCandidates = 64;
const kinds = ['audio', 'video', 'application'];
const videoCodecs = ['vp8', 'h264', 'vp9', 'av1'];

const iceCharacters = /^[A-Za-z0-9+/]+$/;
const fingerprintForm = /^[A-Za-z0-9-]+ (?:[0-9A-Fa-f]{2}:){15,63}[0-9A-Fa-f]{2}$/;
const setups = ['actpass', 'active', 'passive'];
const midForm = /^[!#$%&'*+.^_`{|}~A-Za-z0-9-]{1,32}$/;

const codecsOf = ({ lines, formats }: MediaSection): readonly string[] =>
  attributes(lines, 'rtpmap').flatMap((value) => {
    const [, type, name] = /^(\d{1,3}) ([^/ ]+)\/\d+/.exec(value) ?? [];
    return type !== undefined && formats.includes(type) && name !== undefined ? [name.toLowerCase()] : [];
  });

/** A transport attribute of a section, or of the whole description if the section has none. */
const inherited = (offer: SessionDescription, section: MediaSection, name: string): string | undefined =>
  attributes(section.lines, name)[0] ?? attributes(offer.lines, name)[0];

const credentialFault = (offer: SessionDescription, section: MediaSection): string | undefined => {
  const ufrag = inherited(offer, section, 'ice-ufrag');
  if (ufrag === undefined) return 'has no ice-ufrag';
  if (ufrag.length < 4 || ufrag.length > 256 || !iceCharacters.test(ufrag)) return 'has an invalid ice-ufrag';
  const password = inherited(offer, section, 'ice-pwd');
  if (password === undefined) return 'has no ice-pwd';
  if (password.length < 22 || password.length > 256 || !iceCharacters.test(password)) return 'has an invalid ice-pwd';
  const fingerprint = inherited(offer, section, 'fingerprint');
  if (fingerprint === undefined) return 'has no fingerprint';
  if (!fingerprintForm.test(fingerprint)) return 'has an invalid fingerprint';
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
  if (!midForm.test(name)) return 'has an invalid mid';
  return credentialFault(offer, section) ?? codecFault(section);
};

const faultIn = (offer: SessionDescription): string | undefined => {
  if (offer.sections.length > maxSections) return `it has more than ${maxSections} media sections`;
  if (!offer.sections.some(({ kind }) => kind === 'audio' || kind === 'video')) return 'it has no audio and no video';
  const mids = offer.sections.map(({ lines }) => attributes(lines, 'mid')[0]);
  if (new Set(mids).size < mids.length) return 'two media sections have the same mid';
  for (const [at, section] of offer.sections.entries()) {
    const fault = sectionFault(offer, section);
    if (fault !== undefined) return `media section ${at} (${quoted(section.kind)}) ${fault}`;
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
    .slice(0, maxCandidates);

const clientOf = (offer: SessionDescription): ClientConnection => {
  const of = (name: string): string => {
    const first = offer.sections[0];
    return first === undefined ? '' : (inherited(offer, first, name) ?? '');
  };
  const origin = offer.lines.find((line) => line.startsWith('o='))?.split(' ')[1] ?? '';
  return { fingerprint: of('fingerprint'), ufrag: of('ice-ufrag'), origin };
};

/** Parses an offer, or says why it cannot be answered. */
export const checkOffer = (sdp: string): E.Either<string, Offer> => {
  if (sdp.length > maxDescriptionLength) return E.left(`it is longer than ${maxDescriptionLength} characters`);
  const offer = parseDescription(sdp);
  if (typeof offer === 'string') return E.left(offer);
  const fault = faultIn(offer);
  if (fault !== undefined) return E.left(fault);
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '' && !/^a=(?:candidate:|end-of-candidates)/.test(line));
  return E.right({
    sdp: `${lines.join('\r\n')}\r\n`,
    candidates: candidatesOf(offer),
    client: clientOf(offer),
    hasAudio: offer.sections.some(({ kind }) => kind === 'audio'),
  });
};
