import { eventStoreContract } from '../../support/contracts/event-store-contract.js';
import { openOverVersion, openOverVersionWithTls } from '../../support/event-store/temporary-eventstoredb.js';
import { type Version, versionNames } from '../../support/event-store/versions.js';
import { isLongForm } from '../../support/long-form.js';

/**
 * The short form tests one version, chosen at random, with TLS; `npm run test:eventstoredb` tests all of them as well.
 */
const oneOf = (names: ReadonlyArray<Version>): ReadonlyArray<Version> => {
  const at = Math.floor(Math.random() * names.length);
  return names.slice(at, at + 1);
};

(isLongForm ? versionNames : oneOf(versionNames)).forEach((version) =>
  describe(`event store: EventStoreDB adapter over the server as ${version}`, () =>
    eventStoreContract(isLongForm ? openOverVersion(version) : openOverVersionWithTls(version))),
);
