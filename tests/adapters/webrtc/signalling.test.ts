import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import * as t from 'io-ts';
import { fixtureText, right } from '../import/support.js';
import { checkOffer } from '../../../adapters/realtime/webrtc/signalling/session-description.js';
import { browserOffer } from '../../support/realtime/offers.js';
import { checkedEngine } from '../../../adapters/realtime/webrtc/signalling/checked-engine.js';
import { succeeded } from '../../support/event-store/stores.js';
import { scriptedEngine } from '../../support/realtime/scripted-engine.js';
import { sessionId } from '../../support/values.js';

/** Of an offer that is refused: what it has, the pattern that is replaced in that of a browser, by what, and the reason. */
const RefusedOffer = t.tuple([t.string, t.string, t.string, t.string]);
const Cases = t.type({
  refused_offers: t.array(RefusedOffer),
  refused_candidates: t.record(t.string, t.string),
  candidates: t.array(t.string),
  forbidden_addresses: t.record(t.string, t.array(t.string)),
  invalid_addresses: t.array(t.string),
  addresses: t.array(t.string),
});
const cases = right(Cases.decode(JSON.parse(fixtureText('signalling.json'))));

const reason = (sdp: string): string => {
  const checked = checkOffer(sdp);
  return E.isLeft(checked) ? checked.left : 'it is an offer';
};
const without = (line: RegExp): string =>
  browserOffer
    .split('\r\n')
    .filter((text) => !line.test(text))
    .join('\r\n');

describe('checkOffer', () => {
  it('accepts the offer of a browser and separates its candidates', () => {
    const offer = checkOffer(browserOffer);
    if (E.isLeft(offer)) throw new Error(offer.left);
    expect(offer.right.hasAudio).to.equal(true);
    expect(offer.right.client).to.include({ ufrag: 'SC0a', origin: '4611731400430051336' });
    expect(offer.right.sdp).to.not.include('a=candidate');
    expect(offer.right.candidates).to.deep.equal([
      { candidate: 'candidate:1467250027 1 udp 2122260223 192.168.0.196 46243 typ host', mid: '0' },
    ]);
  });

  it('accepts transport attributes above the sections, and lines that end in a bare line feed', () => {
    const lines = without(/^a=(ice-ufrag|ice-pwd|fingerprint|setup)/).split('\r\n');
    const attributes = browserOffer
      .split('\r\n')
      .filter((line) => /^a=(ice-ufrag|ice-pwd|fingerprint|setup)/.test(line));
    const above = [...lines.slice(0, 4), ...attributes.slice(0, 4), ...lines.slice(4)].join('\n');
    expect(reason(above)).to.equal('it is an offer');
  });

  for (const [what, pattern, replacement, words] of cases.refused_offers)
    it(`refuses an offer with ${what} and says why`, () =>
      expect(reason(browserOffer.replaceAll(new RegExp(pattern, 'gm'), replacement))).to.equal(words));

  it('refuses an offer that is too long', () =>
    expect(reason(browserOffer + 'a=x:'.padEnd(70_000, 'x'))).to.equal('it is longer than 65536 characters'));
});

const session = sessionId('00000000-0000-4000-8000-000000000000');
const lineOf = (address: string, port = 5_000): string => `candidate:1 1 udp 2130706431 ${address} ${port} typ host`;
const engineWith = (allowsLoopback: boolean) => checkedEngine(scriptedEngine(), { allowsLoopback });

const refusedCandidate = async (candidate: string, allowsLoopback = false): Promise<string | null> => {
  const answer = await engineWith(allowsLoopback).addCandidate(session, {
    candidate,
    sdp_mid: '0',
    sdp_m_line_index: 0,
  })();
  if (E.isRight(answer)) return null;
  return answer.left._tag === 'InvalidIceCandidate' ? answer.left.reason : answer.left._tag;
};
const refusalOf = (address: string, allowsLoopback = false) => refusedCandidate(lineOf(address), allowsLoopback);

const forbidden = cases.forbidden_addresses;

describe('checked engine', () => {
  for (const [what, addresses] of Object.entries(forbidden))
    it(`refuses ${what} in every notation`, async () => {
      for (const address of addresses) expect(await refusalOf(address)).to.equal(`${address} is ${what}`);
    });

  it('refuses what is no candidate, and says why', async () => {
    const long = 'candidate:1 1 udp 1 192.0.2.1 5 typ host'.padEnd(600, ' a b');
    for (const [candidate, reason] of Object.entries(cases.refused_candidates))
      expect((await refusedCandidate(candidate)) ?? '', candidate).to.match(new RegExp(`^${reason}`));
    expect(await refusedCandidate(long)).to.equal('it is longer than 512 characters');
  });

  it('accepts candidates with any extensions', async () => {
    for (const candidate of cases.candidates) expect(await refusedCandidate(candidate), candidate).to.equal(null);
  });

  it('refuses addresses in unusual notation, zones and host names', async () => {
    for (const address of cases.invalid_addresses)
      expect(await refusalOf(address), address).to.equal('its address is not an IP address');
  });

  it('accepts other addresses, including private ones', async () => {
    for (const address of cases.addresses) expect(await refusalOf(address), address).to.equal(null);
  });

  it('accepts loopback addresses when they are allowed, and no other forbidden ones', async () => {
    for (const [what, addresses] of Object.entries(forbidden))
      for (const address of addresses)
        expect(await refusalOf(address, true)).to.equal(what === 'a loopback address' ? null : `${address} is ${what}`);
  });

  it('accepts mDNS names without passing them to the engine', async () => {
    const given: string[] = [];
    const scripted = scriptedEngine();
    const engine = checkedEngine(
      {
        ...scripted,
        addCandidate: (id, candidate) => {
          given.push(candidate.candidate);
          return scripted.addCandidate(id, candidate);
        },
      },
      { allowsLoopback: false },
    );
    for (const candidate of [lineOf('5d4f8ed5.local'), lineOf('10.0.0.7'), ''])
      await succeeded(engine.addCandidate(session, { candidate, sdp_mid: '0', sdp_m_line_index: 0 }));
    expect(given).to.deep.equal([lineOf('10.0.0.7'), '']);
  });

  const offered = async (...lines: ReadonlyArray<string>): Promise<string> => {
    const { sdp } = await succeeded(
      engineWith(false).negotiate(session, ['v=0', ...lines, ''].join('\r\n'), () => undefined),
    );
    return sdp;
  };

  it('removes forbidden candidates from an offer and nothing else', async () => {
    const bad = Object.values(forbidden).flat();
    const sdp = await offered(
      's=-',
      ...[...bad, 'localhost', '127.1', 'host.local', 'fe80::1%eth0'].map((address) => `a=${lineOf(address)}`),
      ...bad.map((address) => `a=CANDIDATE${lineOf(address).slice(9)}`),
      `a=${lineOf('192.0.2.7')}`,
      'a=candidate:nonsense',
      'a=end-of-candidates',
    );
    expect(sdp.split('\r\n')).to.deep.equal([
      'v=0',
      's=-',
      `a=${lineOf('192.0.2.7')}`,
      'a=end-of-candidates',
      'a=answered',
      '',
    ]);
  });

  it('refuses an offer with unusual line breaks, and one that is too long', async () => {
    const refusal = async (sdp: string) => engineWith(false).negotiate(session, sdp, () => undefined)();
    for (const hidden of ['\r', '\u2028', '\u2029'])
      expect(await refusal(`v=0\r\na=x${hidden}a=${lineOf('127.0.0.1')}\r\n`)).to.have.nested.property(
        'left._tag',
        'InvalidSdp',
      );
    expect(await refusal(`v=0\r\n${'a=x\r\n'.repeat(20_000)}`)).to.have.nested.property('left._tag', 'InvalidSdp');
  });
});
