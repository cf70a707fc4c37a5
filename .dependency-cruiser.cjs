/** The import laws of the house; a test fails the build on every breach. */
const law = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** Each outside package has one home. */
const homes = {
  express: '^adapters/http/',
  ws: '^adapters/realtime/results-socket',
  pino: '^adapters/log/',
  '@grpc/grpc-js': '^adapters/(event-store/eventstoredb|eventstoredb-endpoint)/',
  '@eventstore/db-client': '^adapters/(event-store/eventstoredb|eventstoredb-endpoint)/',
  'lru-cache': '^(application|adapters)/',
  libsql: '^adapters/(event-store|eventstoredb-endpoint|read-models|instance|key-vault)/',
  commander: '^adapters/(cli/|composition/command-line\\.ts)',
  compromise: '^adapters/name-model/embedded/',
  uuid: '^adapters/runtime/ids\\.ts',
  'fastest-levenshtein': '^projections/nearest\\.ts',
  'hyparquet-writer': '^adapters/audit-export/',
  'csv-stringify': '^adapters/audit-export/',
  preact: '^adapters/console/',
  werift: '^adapters/realtime/webrtc/',
  'opus-decoder': '^adapters/realtime/webrtc/',
};

const contracts = '/(contract|events|changes|result-row|write-back|match-speakers-to-faces|name-channel)\\.ts$';

module.exports = {
  forbidden: [
    law('no-cycles', 'A cycle has no bottom to start reading at', { pathNot: '^tests/' }, { circular: true }),
    law('domain-is-pure', 'The domain knows no machine', { path: '^domain/' }, { dependencyTypes: ['core'] }),
    law(
      'domain-stands-alone',
      'The domain imports the domain alone',
      { path: '^domain/' },
      { path: '^(application|projections|adapters|tests)/' },
    ),
    law(
      'domain-libraries',
      'fp-ts, io-ts and pure libraries that an algorithm needs',
      { path: '^domain/' },
      { path: 'node_modules/', pathNot: 'node_modules/(fp-ts|io-ts)/' },
    ),
    law(
      'aggregates-know-contracts',
      'Of another aggregate only its contract may be known',
      {
        path: '^domain/(video|audio|match-run|access|credit-account|tag-registry|realtime-session|realtime-capacity)/',
      },
      {
        path: '^domain/(video|audio|match-run|access|credit-account|tag-registry|realtime-session|realtime-capacity)/',
        pathNot: ['^domain/$1/', contracts],
      },
    ),
    law(
      'projections-know-events',
      'Projections answer from event contracts, not from deciders',
      { path: '^projections/' },
      { path: '^(application|adapters|tests)/|^domain/.*(decider|evolve|decisions/|state\\.ts)' },
    ),
    law(
      'application-orders-steps',
      'The application knows no adapter and no machine',
      { path: '^application/' },
      { path: '^(adapters|tests)/' },
    ),
    law('application-has-no-machine', 'No node modules', { path: '^application/' }, { dependencyTypes: ['core'] }),
    law(
      'adapters-decide-nothing',
      'Adapters use use cases, never deciders',
      { path: '^adapters/' },
      { path: '^domain/.*(decider|evolve|decisions/)' },
    ),
    law(
      'adapters-are-strangers',
      'An adapter folder imports no sibling but the client; composition puts them together',
      { path: '^adapters/([^/]+)/', pathNot: '^adapters/(composition|config|eventstoredb-endpoint)/' },
      { path: '^adapters/', pathNot: '^adapters/($1|runtime|client)/' },
    ),
    law(
      'endpoint-serves-the-embedded-log',
      'The endpoint for EventStoreDB clients reads the rows of the embedded log, and knows no other sibling',
      { path: '^adapters/eventstoredb-endpoint/' },
      { path: '^adapters/', pathNot: '^adapters/(eventstoredb-endpoint|event-store/sqlite|runtime)/' },
    ),
    law(
      'client-stands-alone',
      'The client is for everybody, browsers too: it imports itself and the table of operations',
      { path: '^adapters/client/' },
      { pathNot: '^adapters/(client/|runtime/operations\\.ts)' },
    ),
    law('nobody-imports-tests', 'Tests are leaves', { pathNot: '^tests/' }, { path: '^tests/' }),
    ...Object.entries(homes).map(([name, home]) =>
      law(
        `home-of-${name}`,
        `${name} has one home`,
        { path: '^(domain|application|projections|adapters)/', pathNot: home },
        { path: `node_modules/${name}/` },
      ),
    ),
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsPreCompilationDeps: true,
    skipAnalysisNotInRules: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'types'],
      // Nothing changes meanwhile, however long a busy machine takes.
      cachedInputFileSystem: { cacheDuration: 600_000 },
    },
  },
};
