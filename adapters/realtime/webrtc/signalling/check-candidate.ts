import { isIP } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';

export interface Candidate {
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
