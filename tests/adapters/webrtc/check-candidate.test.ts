import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { checkCandidate } from '../../../adapters/realtime/webrtc/signalling/session-description.js';

const reachable = (text: string): boolean | string => {
  const checked = checkCandidate(text);
  return E.isLeft(checked) ? checked.left : checked.right.reachable;
};

describe('checkCandidate', () => {
  it('accepts IP addresses, with any extensions', () => {
    for (const candidate of [
      'candidate:1467250027 1 udp 2122260223 192.168.0.196 46243 typ host generation 0 ufrag SC0a network-id 1',
      'a=candidate:1 1 UDP 2130706431 10.0.1.1 8998 typ host',
      'candidate:842163049 1 udp 1677729535 203.0.113.7 58123 typ srflx raddr 0.0.0.0 rport 0 generation 0',
      'candidate:2 1 udp 41885439 2001:db8::7 3478 typ relay raddr 203.0.113.7 rport 58123',
    ])
      expect(reachable(candidate), candidate).to.equal(true);
  });

  it('accepts mDNS names and TCP as not reachable', () => {
    const hidden = 'candidate:1 1 udp 2122194687 5d4f8ed5-5a1a-4c87-a5ab-02b12345abcd.local 40587 typ host';
    expect(reachable(hidden)).to.equal(false);
    expect(reachable('candidate:3 1 tcp 1518280447 192.168.0.196 9 typ host tcptype active')).to.equal(false);
  });

  it('refuses anything else and says why', () => {
    const form =
      'it is not of the form "candidate:<foundation> <component> <transport> <priority> <address> <port> typ <type>"';
    expect(reachable('garbage')).to.equal(form);
    expect(reachable('candidate:1 1 udp 1 192.0.2.1 5 typ')).to.equal(form);
    expect(reachable('candidate:1 1 carrier-pigeon 1 192.0.2.1 5 typ host')).to.equal(form);
    expect(reachable('candidate:1 9 udp 1 192.0.2.1 5 typ host')).to.equal('its component is neither 1 nor 2');
    expect(reachable('candidate:1 1 udp 9999999999 192.0.2.1 5 typ host')).to.equal(
      'its priority is larger than 32 bits',
    );
    expect(reachable('candidate:1 1 udp 1 192.0.2.1 65536 typ host')).to.equal('its port is larger than 65535');
    expect(reachable('candidate:1 1 udp 1 example.org 5 typ host')).to.equal('its address is not an IP address');
    expect(reachable('candidate:1 1 udp 1 192.0.2.1 5 typ host'.padEnd(600, ' a b'))).to.equal(
      'it is longer than 512 characters',
    );
  });
});
