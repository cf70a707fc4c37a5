import { BlockList, isIP, isIPv6 } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { InvalidIceCandidate, InvalidSdp, RealtimeEngine } from '../../../../application/ports/realtime-engine.js';
import { checkCandidate, maxDescriptionLength, parseDescription } from './session-description.js';

interface SignallingRules {
  /** Whether candidates may be loopback addresses: only if the service itself is reachable at loopback alone. */
  readonly allowsLoopback: boolean;
}

const listOf = (...ranges: ReadonlyArray<readonly [address: string, prefix: number]>): BlockList => {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, isIPv6(address) ? 'ipv6' : 'ipv4');
  return list;
};

/** Addresses to which a client must not make the service send packets. IPv4 ranges also cover `::ffff:0:0/96`. */
const forbiddenRanges: ReadonlyArray<readonly [what: string, list: BlockList]> = [
  ['a loopback address', listOf(['127.0.0.0', 8], ['::1', 128])],
  ['an unspecified address', listOf(['0.0.0.0', 8], ['::', 128])],
  /* Includes those that cloud providers place outside the link-local range. */
  [
    'the address of a metadata service',
    listOf(
      ['169.254.169.254', 32],
      ['fd00:ec2::254', 128],
      ['fd20:ce::254', 128],
      ['100.100.100.200', 32],
      ['192.0.0.192', 32],
      ['168.63.129.16', 32],
    ),
  ],
  ['a link-local address', listOf(['169.254.0.0', 16], ['fe80::', 10])],
  ['a multicast address', listOf(['224.0.0.0', 4], ['ff00::', 8])],
  ['a broadcast or reserved address', listOf(['240.0.0.0', 4])],
  /* A gateway or tunnel would forward these to any IPv4 address. */
  [
    'an IPv6 address that embeds an IPv4 address',
    listOf(['::', 96], ['64:ff9b::', 96], ['64:ff9b:1::', 48], ['2002::', 16]),
  ],
];

/** What kind of forbidden address an IP address is; null if it is allowed. */
const forbiddenKind = (address: string, { allowsLoopback }: SignallingRules): string | null => {
  const family = isIPv6(address) ? 'ipv6' : 'ipv4';
  const [what] = forbiddenRanges.find(([, list]) => list.check(address, family)) ?? [null];
  return what === 'a loopback address' && allowsLoopback ? null : what;
};

/** Whether a candidate is used or silently ignored (one with a host name), or why it is refused. */
const classify = (candidate: string, rules: SignallingRules): E.Either<string, 'used' | 'ignored'> =>
  pipe(
    checkCandidate(candidate),
    E.chain(({ address }) => {
      if (isIP(address) === 0) return E.right('ignored');
      const forbidden = forbiddenKind(address, rules);
      return forbidden === null ? E.right('used') : E.left(`${address} is ${forbidden}`);
    }),
  );

const candidateLine = /^a=\s*(candidate:.*)$/i;

/** An offer without the candidates that are not used, or why it is not a session description. */
const withUsedCandidates = (sdp: string, rules: SignallingRules): E.Either<string, string> => {
  if (sdp.length > maxDescriptionLength) return E.left(`it is longer than ${maxDescriptionLength} characters`);
  const parsed = parseDescription(sdp);
  if (typeof parsed === 'string') return E.left(parsed);
  const isKept = (line: string): boolean => {
    const [, candidate] = candidateLine.exec(line) ?? [];
    if (candidate === undefined) return true;
    const verdict = classify(candidate, rules);
    return E.isRight(verdict) && verdict.right === 'used';
  };
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '' && isKept(line));
  return E.right(`${lines.join('\r\n')}\r\n`);
};

/**
 * Wraps an engine so that it never gets an address to which a client must not make the service send packets, and no host
 * names. A trickled candidate with such an address is refused. In an offer it is removed, because some browsers list
 * link-local addresses beside usable ones.
 */
export const checkedEngine = (engine: RealtimeEngine, rules: SignallingRules): RealtimeEngine => ({
  ...engine,
  negotiate: (session, sdp, report) =>
    pipe(
      withUsedCandidates(sdp, rules),
      E.mapLeft((reason): InvalidSdp => ({ _tag: 'InvalidSdp', reason })),
      TE.fromEither,
      TE.chainW((offer) => engine.negotiate(session, offer, report)),
    ),
  addCandidate: (session, candidate) =>
    candidate.candidate === ''
      ? engine.addCandidate(session, candidate)
      : pipe(
          classify(candidate.candidate, rules),
          E.mapLeft((reason): InvalidIceCandidate => ({ _tag: 'InvalidIceCandidate', reason })),
          TE.fromEither,
          TE.chainW((verdict) => (verdict === 'used' ? engine.addCandidate(session, candidate) : TE.right(undefined))),
        ),
});
