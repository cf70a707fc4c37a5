import * as E from 'fp-ts/lib/Either.js';
import { isIP } from 'node:net';

/** One section of a session description (RFC 8866): its m= line and the lines after it. */
interface MediaSection {
  readonly kind: string;
  readonly mid: string | undefined;
  readonly protocol: string;
  readonly formats: readonly string[];
  readonly lines: readonly string[];
}

interface SessionDescription {
  readonly lines: readonly string[];
  readonly sections: readonly MediaSection[];
}

const mediaLine = /^m=([a-z]+) \d{1,5}(?:\/\d+)? ([A-Z/]+) (\S.*)$/;
const anyLine = /^[a-z]=.*$/;

const sectionOf = (line: string, lines: readonly string[]): MediaSection | string => {
  const [, kind, protocol, formats] = mediaLine.exec(line) ?? [];
  if (kind === undefined || protocol === undefined || formats === undefined)
    return `not a valid media line: ${quoted(line)}`;
  const [mid] = attributes(lines, 'mid');
  return { kind, mid, protocol, formats: formats.trim().split(/ +/), lines };
};

/** A line as an error message quotes it. */
export const quoted = (line: string): string => JSON.stringify(line.length > 60 ? `${line.slice(0, 60)}…` : line);

/** Parses a session description; returns a text that says why if it is not one. */
export const parseDescription = (sdp: string): SessionDescription | string => {
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '');
  if (lines[0] !== 'v=0') return 'it does not begin with v=0';
  const invalid = lines.find((line) => !anyLine.test(line));
  if (invalid !== undefined) return `not a line of a session description: ${quoted(invalid)}`;
  const starts = lines.flatMap((line, at) => (line.startsWith('m=') ? [at] : []));
  const sections: MediaSection[] = [];
  for (const [at, start] of starts.entries()) {
    const section = sectionOf(lines[start] ?? '', lines.slice(start + 1, starts[at + 1]));
    if (typeof section === 'string') return section;
    sections.push(section);
  }
  return { lines: lines.slice(0, starts[0]), sections };
};

/** The values of an attribute among the lines of a section or of the whole description. */
export const attributes = (lines: readonly string[], name: string): readonly string[] =>
  lines.flatMap((line) => (line.startsWith(`a=${name}:`) ? [line.slice(name.length + 3)] : []));

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
interface ClientConnection {
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

/** What a section needs of its transport, and the form of it. */
const credentials: ReadonlyArray<readonly [name: string, form: RegExp]> = [
  ['ice-ufrag', /^[A-Za-z0-9+/]{4,256}$/],
  ['ice-pwd', /^[A-Za-z0-9+/]{22,256}$/],
  ['fingerprint', /^[A-Za-z0-9-]+ (?:[0-9A-Fa-f]{2}:){15,63}[0-9A-Fa-f]{2}$/],
];
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
  for (const [name, form] of credentials) {
    const value = inherited(offer, section, name);
    if (value === undefined) return `has no ${name}`;
    if (!form.test(value)) return `has an invalid ${name}`;
  }
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
  if (section.mid === undefined) return 'has no mid';
  if (!midForm.test(section.mid)) return 'has an invalid mid';
  return credentialFault(offer, section) ?? codecFault(section);
};

const faultIn = (offer: SessionDescription): string | undefined => {
  if (offer.sections.length > maxSections) return `it has more than ${maxSections} media sections`;
  if (!offer.sections.some(({ kind }) => kind === 'audio' || kind === 'video')) return 'it has no audio and no video';
  if (new Set(offer.sections.map(({ mid }) => mid)).size < offer.sections.length)
    return 'two media sections have the same mid';
  for (const [at, section] of offer.sections.entries()) {
    const fault = sectionFault(offer, section);
    if (fault !== undefined) return `media section ${at} (${quoted(section.kind)}) ${fault}`;
  }
  return undefined;
};

const candidatesOf = (offer: SessionDescription): Offer['candidates'] =>
  offer.sections
    .flatMap(({ lines, mid = '' }) =>
      attributes(lines, 'candidate').flatMap((value) => {
        const checked = checkCandidate(`candidate:${value}`);
        return E.isRight(checked) && checked.right.reachable ? [{ candidate: checked.right.line, mid }] : [];
      }),
    )
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

interface Candidate {
  /** The candidate in normal form, as the peer connection accepts it. */
  readonly line: string;
  /** An IP address, or a host name that is not resolved. */
  readonly address: string;
  /** Whether connectivity checks can be sent to it: over UDP, to an IP address. */
  readonly reachable: boolean;
}

/** In characters. */
const maxCandidateLength = 512;
const grammar =
  /^(?:a=)?candidate:([A-Za-z0-9+/]{1,32}) (\d{1,3}) (udp|tcp|ssltcp) (\d{1,10}) (\S+) (\d{1,5}) typ (host|srflx|prflx|relay)((?: \S+ \S+)*) ?$/i;
/** Browsers hide their addresses behind mDNS names; their own connectivity checks reveal the address all the same. */
const mdnsName = /^[A-Za-z0-9-]{1,63}\.local\.?$/;
const maxPriority = 2 ** 32 - 1;

/**
 * Parses an ICE candidate (RFC 8839, 5.1), or says why it is not one. Host names are not resolved on a client's behalf:
 * mDNS names are accepted and not used, others are refused.
 */
export const checkCandidate = (text: string): E.Either<string, Candidate> => {
  if (text.length > maxCandidateLength) return E.left(`it is longer than ${maxCandidateLength} characters`);
  const [, foundation, component, transport, priority, address, port, type] = grammar.exec(text) ?? [];
  if (foundation === undefined || address === undefined || transport === undefined)
    return E.left(
      'it is not of the form "candidate:<foundation> <component> <transport> <priority> <address> <port> typ <type>"',
    );
  if (component !== '1' && component !== '2') return E.left('its component is neither 1 nor 2');
  if (!(Number(priority) <= maxPriority)) return E.left('its priority is larger than 32 bits');
  if (Number(port) > 65_535) return E.left('its port is larger than 65535');
  const isMdns = mdnsName.test(address);
  /* A zone (after `%`) would select a network interface of the service. */
  if ((isIP(address) === 0 && !isMdns) || address.includes('%')) return E.left('its address is not an IP address');
  return E.right({
    line: `candidate:${foundation} ${component} ${transport.toLowerCase()} ${priority} ${address} ${port} typ ${type}`,
    address,
    reachable: !isMdns && transport.toLowerCase() === 'udp' && component === '1' && Number(port) > 0,
  });
};
