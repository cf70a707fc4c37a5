import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { readConfig } from '../../../adapters/config/config.js';
import { readAddress } from '../../../adapters/event-store/eventstoredb/address.js';
import { addressOf } from '../../support/event-store/address-of.js';

describe('a connection string', () => {
  it('names one server, with its port or the default port', () => {
    expect(addressOf('esdb://localhost?tls=false')).to.deep.include({
      endpoints: [{ address: 'localhost', port: 2113 }],
      discover: false,
      credentials: null,
      tls: false,
    });
    expect(addressOf('esdb://u:p@10.0.0.1:4000/').endpoints).to.deep.equal([{ address: '10.0.0.1', port: 4000 }]);
  });

  it('names a cluster, by its nodes or by a name for discovery', () => {
    expect(addressOf('esdb://u:p@a:1,b:2,c').endpoints).to.have.length(3);
    expect(addressOf('esdb+discover://u:p@cluster.example').discover).to.equal(true);
  });

  it('contains credentials, with any characters encoded', () => {
    expect(addressOf('esdb://user%40home:p%3Aw%2F@host').credentials).to.deep.equal({
      username: 'user@home',
      password: 'p:w/',
    });
  });

  it('contains options, in any case', () => {
    const { node_preference, tls_ca_file, deadline, keep_alive_interval } = addressOf(
      'esdb://u:p@host?nodePreference=readOnlyReplica&TLSCAFILE=%2Fca.pem&defaultDeadline=2000&keepAliveInterval=15000',
    );
    expect({ node_preference, tls_ca_file, deadline, keep_alive_interval }).to.deep.equal({
      node_preference: 'read_only_replica',
      tls_ca_file: '/ca.pem',
      deadline: 2_000,
      keep_alive_interval: 15_000,
    });
  });

  it("may use the vendor's newer scheme names", () => {
    for (const scheme of ['esdb', 'kurrentdb', 'kdb']) {
      expect(addressOf(`${scheme}://u:p@host`)).to.deep.include({
        discover: false,
        endpoints: [{ address: 'host', port: 2113 }],
      });
      expect(addressOf(`${scheme}+discover://u:p@host`).discover).to.equal(true);
      expect(E.isRight(readConfig({ EVENT_STORE: `${scheme}://u:p@host` }))).to.equal(true);
    }
  });

  it('accepts IPv6 addresses in brackets', () => {
    expect(addressOf('esdb://[::1]:4000,[fe80::1]?tls=false').endpoints).to.deep.equal([
      { address: '::1', port: 4000 },
      { address: 'fe80::1', port: 2113 },
    ]);
  });

  it('may switch off certificate verification and keep-alive, and log in with a certificate alone', () => {
    const { tls_verify, keep_alive_interval, keep_alive_timeout } = addressOf(
      'esdb://u:p@host?tlsVerifyCert=false&keepAliveInterval=-1&keepAliveTimeout=-1',
    );
    expect({ tls_verify, keep_alive_interval, keep_alive_timeout }).to.deep.equal({
      tls_verify: false,
      keep_alive_interval: 'off',
      keep_alive_timeout: 'off',
    });
    expect(addressOf('esdb://host?userCertFile=a.pem&userKeyFile=b.pem')).to.deep.include({
      credentials: null,
      user_cert_file: 'a.pem',
      user_key_file: 'b.pem',
    });
  });

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
    expect(E.isRight(engine('esdb://host?tls=false'))).to.equal(true);
    const refused = engine('esdb://u:secret@host:x');
    const why = E.isLeft(refused) ? refused.left.join() : '';
    expect(why).to.include('EVENT_STORE').and.not.include('secret');
  });
});
