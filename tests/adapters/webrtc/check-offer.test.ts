import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { checkOffer } from '../../../adapters/realtime/webrtc/signalling/session-description.js';
import { browserOffer } from '../../support/realtime/offers.js';

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
    'plain words': ['garbage', 'it does not begin with v=0'],
    JSON: ['{"type":"offer"}', 'it does not begin with v=0'],
    'an invalid line': [
      browserOffer.replace('a=rtcp-mux', 'rtcp-mux'),
      'not a line of a session description: "rtcp-mux"',
    ],
    'no media': [browserOffer.split('m=audio')[0] ?? '', 'it has no audio and no video'],
    'a data channel alone': [
      browserOffer.split('m=video')[0]?.replace(/m=audio.*/, 'm=application 9 UDP/DTLS/SCTP webrtc-datachannel') ?? '',
      'it has no audio and no video',
    ],
    'no ice-ufrag': [without(/^a=ice-ufrag/), 'media section 0 ("audio") has no ice-ufrag'],
    'no ice-pwd': [without(/^a=ice-pwd/), 'media section 0 ("audio") has no ice-pwd'],
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
    'Opus that is not offered': [
      browserOffer.replace('SAVPF 111 63', 'SAVPF 63'),
      'media section 0 ("audio") has no Opus payload type',
    ],
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
