import { isIP } from 'node:net';
import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { InvalidIceCandidate, InvalidSdp, RealtimeEngine } from '../../../../application/ports/realtime-engine.js';
import { checkCandidate } from './check-candidate.js';
import { longestDescription } from './check-offer.js';
import { forbiddenAddress } from './forbidden-address.js';
import { parseDescription } from './session-description.js';

export interface SignallingRules {
  /** Whether candidates may be loopback addresses: where the service itself can be reached at one alone. */
  readonly allowsLoopback: boolean;
}

/** Why a candidate is refused, in words; `unused` for one that names a host, which nothing looks up. */
const judged = (candidate: string, { allowsLoopback }: SignallingRules): E.Either<string, 'good' | 'unused'> =>
  pipe(
    checkCandidate(candidate),
    E.chain(({ address }) => {
      if (isIP(address) === 0) return E.right('unused');
      const forbidden = forbiddenAddress(address, allowsLoopback);
      return forbidden === null ? E.right('good') : E.left(`${address} is ${forbidden}`);
    }),
  );

const candidateLine = /^a=\s*(candidate:.*)$/i;

/** An offer with those of its candidates that may be used; why it is none, in words. */
const withGoodCandidates = (sdp: string, rules: SignallingRules): E.Either<string, string> => {
  if (sdp.length > longestDescription) return E.left(`it is longer than ${longestDescription} characters`);
  const parsed = parseDescription(sdp);
  if (typeof parsed === 'string') return E.left(parsed);
  const isGood = (line: string): boolean => {
    const [, candidate] = candidateLine.exec(line) ?? [];
    if (candidate === undefined) return true;
    const verdict = judged(candidate, rules);
    return E.isRight(verdict) && verdict.right === 'good';
  };
  const lines = sdp.split(/\r?\n/).filter((line) => line !== '' && isGood(line));
  return E.right(`${lines.join('\r\n')}\r\n`);
};

/**
 * An engine, embedded or not, that is never given an address to which no client may let it send packets. A trickled
 * candidate with such an address is refused; in an offer it is left out, for some browsers name link-local addresses
 * beside good ones. Names of hosts are given to no engine.
 */
export const checkedEngine = (engine: RealtimeEngine, rules: SignallingRules): RealtimeEngine => ({
  ...engine,
  negotiate: (session, sdp, report) =>
    pipe(
      withGoodCandidates(sdp, rules),
      E.mapLeft((reason): InvalidSdp => ({ _tag: 'InvalidSdp', reason })),
      TE.fromEither,
      TE.chainW((offer) => engine.negotiate(session, offer, report)),
    ),
  addCandidate: (session, candidate) =>
    candidate.candidate === ''
      ? engine.addCandidate(session, candidate)
      : pipe(
          judged(candidate.candidate, rules),
          E.mapLeft((reason): InvalidIceCandidate => ({ _tag: 'InvalidIceCandidate', reason })),
          TE.fromEither,
          TE.chainW((verdict) => (verdict === 'good' ? engine.addCandidate(session, candidate) : TE.right(undefined))),
        ),
});
