import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { readConfig } from '../../../adapters/config/config.js';
import { type Address, readAddress } from '../../../adapters/event-store/eventstoredb/address.js';
import { addressOf } from '../../support/event-store/address-of.js';

describe('a connection string', () => {
  const server = (address: string, port = 2113): Pick<Address, 'endpoints'> => ({ endpoints: [{ address, port }] });
  /** What each connection string says, among other things. */
  const said: ReadonlyArray<readonly [text: string, parts: Partial<Address>]> = [
    ['esdb://localhost?tls=false', { ...server('localhost'), discover: false, credentials: null, tls: false }],
    ['esdb://u:p@10.0.0.1:4000/', server('10.0.0.1', 4000)],
    ['esdb://[::1]:4000?tls=false', server('::1', 4000)],
    ['kurrentdb://u:p@host', { ...server('host'), discover: false }],
    ['kdb+discover://u:p@host', { ...server('host'), discover: true }],
    ['esdb+discover://u:p@cluster.example', { discover: true }],
    [
      'esdb://u:p@a:1,[fe80::1]',
      {
        endpoints: [
          { address: 'a', port: 1 },
          { address: 'fe80::1', port: 2113 },
        ],
      },
    ],
    ['esdb://user%40home:p%3Aw%2F@host', { credentials: { username: 'user@home', password: 'p:w/' } }],
    ['esdb://u:p@host?nodePreference=readOnlyReplica&TLSCAFILE=%2Fca.pem', { node_preference: 'read_only_replica' }],
    ['esdb://u:p@host?TLSCAFILE=%2Fca.pem', { tls_ca_file: '/ca.pem' }],
    ['esdb://u:p@host?defaultDeadline=2000&keepAliveInterval=15000', { deadline: 2_000, keep_alive_interval: 15_000 }],
    ['esdb://u:p@host?tlsVerifyCert=false', { tls_verify: false }],
    [
      'esdb://u:p@host?keepAliveInterval=-1&keepAliveTimeout=-1',
      { keep_alive_interval: 'off', keep_alive_timeout: 'off' },
    ],
    [
      'esdb://host?userCertFile=a.pem&userKeyFile=b.pem',
      { credentials: null, user_cert_file: 'a.pem', user_key_file: 'b.pem' },
    ],
  ];
  for (const [text, parts] of said)
    it(`says what it says: ${text}`, () => expect(addressOf(text)).to.deep.include(parts));

  const wrong = {
    'another scheme': 'http://host',
    'no host': 'esdb://?tls=false',
    'a port that is none': 'esdb://host:99999?tls=false',
    'an unknown option': 'esdb://host?tls=false&colour=red',
    'a value that is none': 'esdb://u:secret@host?tls=perhaps',
    'half a user certificate': 'esdb://u:secret@host?userCertFile=a.pem',
    'an IPv6 address that is none': 'esdb://u:secret@[::g]:2113',
    'TLS without credentials': 'esdb://host',
    'a broken encoding': 'esdb://u:secret%@host',
  };
  Object.entries(wrong).forEach(([what, text]) =>
    it(`is refused with ${what}, and the reason contains no password`, () => {
      const refused = readAddress(text);
      expect(E.isLeft(refused) && refused.left)
        .to.be.a('string')
        .and.not.include('secret');
    }),
  );

  it('is accepted as EVENT_STORE', () => {
    const engine = (EVENT_STORE: string) => readConfig({ EVENT_STORE });
    expect(E.isRight(engine('sqlite'))).to.equal(true);
    for (const scheme of ['esdb', 'kurrentdb', 'kdb']) expect(E.isRight(engine(`${scheme}://u:p@host`))).to.equal(true);
    const refused = engine('esdb://u:secret@host:x');
    const why = E.isLeft(refused) ? refused.left.join() : '';
    expect(why).to.include('EVENT_STORE').and.not.include('secret');
  });
});
