import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { checkedEngine } from '../../../adapters/realtime/webrtc/signalling/checked-engine.js';
import { succeeded } from '../../support/event-store/stores.js';
import { scriptedEngine } from '../../support/realtime/scripted-engine.js';
import { sessionId } from '../../support/values.js';

const session = sessionId('00000000-0000-4000-8000-000000000000');
const lineOf = (address: string, port = 5_000): string => `candidate:1 1 udp 2130706431 ${address} ${port} typ host`;
const engineWith = (allowsLoopback: boolean) => checkedEngine(scriptedEngine(), { allowsLoopback });

const refusalOf = async (address: string, allowsLoopback = false): Promise<string | null> => {
  const candidate = { candidate: lineOf(address), sdp_mid: '0', sdp_m_line_index: 0 };
  const answer = await engineWith(allowsLoopback).addCandidate(session, candidate)();
  if (E.isRight(answer)) return null;
  return answer.left._tag === 'InvalidIceCandidate' ? answer.left.reason : answer.left._tag;
};

const loopback = ['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1', '::ffff:127.0.0.1', '::FFFF:7f00:1'];
const forbidden: Readonly<Record<string, ReadonlyArray<string>>> = {
  'a loopback address': loopback,
  'an unspecified address': ['0.0.0.0', '0.1.2.3', '::', '::ffff:0.0.0.0', '0::0'],
  'the address of a metadata service': [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '0:0:0:0:0:ffff:a9fe:a9fe',
    'fd00:ec2::254',
    'FD00:0EC2:0:0:0:0:0:254',
    'fd20:ce::254',
    '100.100.100.200',
    '168.63.129.16',
  ],
  'a link-local address': ['169.254.0.1', '169.254.170.2', 'fe80::1', 'febf::1', '::ffff:169.254.1.1'],
  'a multicast address': ['224.0.0.251', '239.255.255.250', 'ff02::fb', 'ff0e::1', '::ffff:224.0.0.1'],
  'a broadcast or reserved address': ['255.255.255.255', '240.0.0.1', '::ffff:255.255.255.255'],
  'an IPv6 address that embeds an IPv4 address': [
    '::169.254.169.254',
    '::7f00:1',
    '64:ff9b::a9fe:a9fe',
    '64:ff9b:1::7f00:1',
    '2002:7f00:1::1',
  ],
};

describe('checked engine', () => {
  for (const [what, addresses] of Object.entries(forbidden))
    it(`refuses ${what} in every notation`, async () => {
      for (const address of addresses) expect(await refusalOf(address)).to.equal(`${address} is ${what}`);
    });

  it('refuses addresses in unusual notation, zones and host names', async () => {
    const odd = ['0177.0.0.1', '0x7f.0.0.1', '2130706433', '127.1', '017700000001', '[::1]', '127.0.0.1.'];
    const zones = ['fe80::1%eth0', '::1%lo', '2001:db8::1%1'];
    for (const address of [...odd, ...zones, 'localhost', 'metadata.google.internal', 'printer.local.example'])
      expect(await refusalOf(address), address).to.equal('its address is not an IP address');
  });

  it('accepts other addresses, including private ones', async () => {
    const good = ['10.0.0.7', '192.168.1.20', '172.16.0.1', '100.64.0.1', '203.0.113.9', '8.8.8.8', '::ffff:8.8.8.8'];
    for (const address of [...good, 'fd12:3456::1', '2001:db8::7', '2a00:1450::1'])
      expect(await refusalOf(address), address).to.equal(null);
  });

  it('accepts loopback addresses when they are allowed, and no other forbidden ones', async () => {
    for (const address of loopback) expect(await refusalOf(address, true), address).to.equal(null);
    for (const [what, addresses] of Object.entries(forbidden))
      for (const address of what === 'a loopback address' ? [] : addresses)
        expect(await refusalOf(address, true), address).to.equal(`${address} is ${what}`);
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
