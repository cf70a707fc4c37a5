import { isIP } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';

export interface Candidate {
  /** As the connection takes it. */
  readonly line: string;
  /** An IP address, or a name that is not looked up. */
  readonly address: string;
  /** Whether a check can be sent to it: over UDP, to an address that is no name. */
  readonly reachable: boolean;
}

const longestCandidate = 512;
const grammar =
  /^(?:a=)?candidate:([A-Za-z0-9+/]{1,32}) (\d{1,3}) (udp|tcp|ssltcp) (\d{1,10}) (\S+) (\d{1,5}) typ (host|srflx|prflx|relay)((?: \S+ \S+)*) ?$/i;
/** Browsers hide their addresses behind such names (mDNS); a check of theirs shows the address all the same. */
const hiddenName = /^[A-Za-z0-9-]{1,63}\.local\.?$/;
const largestPriority = 2 ** 32 - 1;

/**
 * Whether a text is an ICE candidate (RFC 8839, 5.1); the reason, in words, where it is not. Names are not looked up on
 * a client's behalf: those of mDNS are taken and left unused, others refused.
 */
export const checkCandidate = (text: string): E.Either<string, Candidate> => {
  if (text.length > longestCandidate) return E.left(`it is longer than ${longestCandidate} characters`);
  const [, foundation, component, transport, priority, address, port, type] = grammar.exec(text) ?? [];
  if (foundation === undefined || address === undefined || transport === undefined)
    return E.left(
      'it is not of the form "candidate:<foundation> <component> <transport> <priority> <address> <port> typ <type>"',
    );
  if (component !== '1' && component !== '2') return E.left('its component is neither 1 nor 2');
  if (!(Number(priority) <= largestPriority)) return E.left('its priority is larger than 32 bits');
  if (Number(port) > 65_535) return E.left('its port is larger than 65535');
  const hidden = hiddenName.test(address);
  /* A zone names a network interface of ours. */
  if ((isIP(address) === 0 && !hidden) || address.includes('%')) return E.left('its address is no IP address');
  return E.right({
    line: `candidate:${foundation} ${component} ${transport.toLowerCase()} ${priority} ${address} ${port} typ ${type}`,
    address,
    reachable: !hidden && transport.toLowerCase() === 'udp' && component === '1' && Number(port) > 0,
  });
};
