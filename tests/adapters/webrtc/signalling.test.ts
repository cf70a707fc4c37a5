import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { checkOffer } from '../../../adapters/realtime/webrtc/signalling/session-description.js';
import { browserOffer } from '../../support/realtime/offers.js';
import { checkedEngine } from '../../../adapters/realtime/webrtc/signalling/checked-engine.js';
import { succeeded } from '../../support/event-store/stores.js';
import { scriptedEngine } from '../../support/realtime/scripted-engine.js';
import { sessionId } from '../../support/values.js';

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

  const refusals: Readonly<Record<string, readonly [string, string]>> = {
    nothing: ['', 'it does not begin with v=0'],
    'an invalid line': [
      browserOffer.replace('a=rtcp-mux', 'rtcp-mux'),
      'not a line of a session description: "rtcp-mux"',
    ],
    'a data channel alone': [
      browserOffer.split('m=video')[0]?.replace(/m=audio.*/, 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel') ?? '',
      'it has no audio and no video',
    ],
    'no ice-ufrag': [without(/^a=ice-ufrag/), 'media section 0 ("audio") has no ice-ufrag'],
    'a short ice-pwd': [
      browserOffer.replaceAll('0mMzz8qQp1p5wQm2Qv2yLJ+8', 'short'),
      'media section 0 ("audio") has an invalid ice-pwd',
    ],
    'no fingerprint': [without(/^a=fingerprint/), 'media section 0 ("audio") has no fingerprint'],
    'a broken fingerprint': [
      browserOffer.replaceAll('0E:F0', '0E:XX'),
      'media section 0 ("audio") has an invalid fingerprint',
    ],
    'no role': [without(/^a=setup/), 'media section 0 ("audio") has no setup of actpass, active or passive'],
    'no Opus': [without(/opus/), 'media section 0 ("audio") has no Opus payload type'],
    'an unknown video codec': [
      browserOffer.replace('VP8', 'XYZ').replace('H264', 'XYZ'),
      'media section 1 ("video") has none of vp8, h264, vp9, av1',
    ],
    'no encryption': [
      browserOffer.replace('UDP/TLS/RTP/SAVPF', 'RTP/AVP'),
      'media section 0 ("audio") has the protocol RTP/AVP, not UDP/TLS/RTP/SAVPF',
    ],
    'no mid': [without(/^a=mid:0/), 'media section 0 ("audio") has no mid'],
    'a duplicate mid': [browserOffer.replace('a=mid:1', 'a=mid:0'), 'two media sections have the same mid'],
    'another kind of media': [
      browserOffer.replace('m=video', 'm=text'),
      'media section 1 ("text") is neither audio nor video',
    ],
    'a truncated media line': [browserOffer.replace(/m=video.*/, 'm=video 9'), 'not a valid media line: "m=video 9"'],
    'too many characters': [browserOffer + 'a=x:'.padEnd(70_000, 'x'), 'it is longer than 65536 characters'],
  };
  for (const [what, [sdp, words]] of Object.entries(refusals))
    it(`refuses an offer with ${what} and says why`, () => expect(reason(sdp)).to.equal(words));
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

  const host = (rest: string): string => `candidate:1 1 udp 1 192.0.2.1 ${rest}`;
  const invalid: Readonly<Record<string, string>> = {
    garbage: 'it is not of the form ',
    [host('5 typ')]: 'it is not of the form ',
    'candidate:1 1 carrier-pigeon 1 192.0.2.1 5 typ host': 'it is not of the form ',
    'candidate:1 9 udp 1 192.0.2.1 5 typ host': 'its component is neither 1 nor 2',
    'candidate:1 1 udp 9999999999 192.0.2.1 5 typ host': 'its priority is larger than 32 bits',
    [host('65536 typ host')]: 'its port is larger than 65535',
    [host('5 typ host').padEnd(600, ' a b')]: 'it is longer than 512 characters',
  };
  it('refuses what is no candidate, and says why', async () => {
    for (const [candidate, reason] of Object.entries(invalid))
      expect((await refusedCandidate(candidate)) ?? '', candidate).to.match(new RegExp(`^${reason}`));
  });

  it('accepts candidates with any extensions', async () => {
    for (const candidate of [
      'candidate:1467250027 1 udp 2122260223 192.168.0.196 46243 typ host generation 0 ufrag SC0a network-id 1',
      'candidate:842163049 1 udp 1677729535 203.0.113.7 58123 typ srflx raddr 0.0.0.0 rport 0 generation 0',
      'candidate:2 1 udp 41885439 2001:db8::7 3478 typ relay raddr 203.0.113.7 rport 58123',
      'candidate:3 1 tcp 1518280447 192.168.0.196 9 typ host tcptype active',
    ])
      expect(await refusedCandidate(candidate), candidate).to.equal(null);
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
