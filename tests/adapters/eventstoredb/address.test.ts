import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import * as E from 'fp-ts/lib/Either.js';
import { readConfig } from '../../../adapters/config/config.js';
import { type Address, readAddress } from '../../../adapters/event-store/eventstoredb/address.js';
import { addressOf, caFile } from '../../support/event-store/eventstoredb-server.js';

describe('a connection string', () => {
  const server = (address: string, port = 2113) => ({ address, port });
  const [file, pem] = [encodeURIComponent(caFile), readFileSync(caFile)];
  const never = 2 ** 31 - 1;
  /** What each connection string says, among other things. */
  const said: Readonly<Record<string, Partial<Address>>> = {
    'esdb://localhost?tls=false': { endpoints: [server('localhost')], discover: false, credentials: null, tls: false },
    'esdb://u:p@10.0.0.1:4000/': { endpoints: [server('10.0.0.1', 4000)] },
    'esdb://[::1]:4000?tls=false': { endpoints: [server('[::1]', 4000)] },
    'kurrentdb://u:p@host': { endpoints: [server('host')], discover: false },
    'kdb+discover://u:p@host': { endpoints: [server('host')], discover: true },
    'esdb+discover://u:p@cluster.example': { discover: true },
    'esdb://u:p@a:1,[fe80::1]': { endpoints: [server('a', 1), server('[fe80::1]')] },
    'esdb://user%40home:p%3Aw%2F@host': { credentials: { username: 'user@home', password: 'p:w/' } },
    [`esdb://u:p@host?nodePreference=follower&TLSCAFILE=${file}`]: { tlsCAFile: pem },
    'esdb://u:p@host?defaultDeadline=2000&keepAliveInterval=15000': {
      defaultDeadline: 2_000,
      keepAliveInterval: 15_000,
    },
    'esdb://u:p@host?tlsVerifyCert=false': { tlsVerifyCert: false },
    'esdb://u:p@host?keepAliveInterval=-1&keepAliveTimeout=-1': { keepAliveInterval: never, keepAliveTimeout: never },
    [`esdb://host?userCertFile=${file}&userKeyFile=${file}`]: {
      credentials: null,
      userCertFile: pem,
      userKeyFile: pem,
    },
  };
  for (const [text, parts] of Object.entries(said))
    it(`says what it says: ${text.replaceAll(file, 'file')}`, () => expect(addressOf(text)).to.deep.include(parts));

  const wrong = {
    'another scheme': 'http://host',
    'no host': 'esdb://?tls=false',
    'a port that is none': 'esdb://host:99999?tls=false',
    'an unknown option': 'esdb://host?tls=false&colour=red',
    'a value that is none': 'esdb://u:secret@host?tls=perhaps',
    'half a user certificate': `esdb://u:secret@host?userCertFile=${file}`,
    'a file that cannot be read': 'esdb://u:secret@host?tlsCAFile=none.pem',
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
