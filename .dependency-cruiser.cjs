/** Import rules; a test fails the build on every breach. */
const rule = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** The folder that may import each outside package. */
const folders = {
  express: '^adapters/http/',
  ws: '^adapters/realtime/results-socket',
  pino: '^adapters/log/',
  '@grpc/grpc-js': '^adapters/(event-store/eventstoredb|eventstoredb-endpoint)/',
  '@eventstore/db-client': '^adapters/(event-store/eventstoredb|eventstoredb-endpoint)/',
  'lru-cache': '^(application|adapters)/',
  libsql: '^adapters/(event-store|eventstoredb-endpoint|read-models|instance|key-vault)/',
  commander: '^adapters/(cli/|composition/(command-line|[a-z-]+-commands?)\\.ts)',
  compromise: '^adapters/name-model/embedded/',
  uuid: '^adapters/runtime/ids\\.ts',
  'fastest-levenshtein': '^projections/event-selection\\.ts',
  'hyparquet-writer': '^adapters/cli/audit/',
  'csv-stringify': '^adapters/cli/audit/',
  preact: '^adapters/console/',
  werift: '^adapters/realtime/webrtc/',
  'opus-decoder': '^adapters/realtime/webrtc/',
};

const contracts = '/(contract|events|changes|result-row|write-back|match-speakers-to-faces|name-channel)\\.ts$';

module.exports = {
  forbidden: [
    rule('no-cycles', 'No circular imports', { pathNot: '^tests/' }, { circular: true }),
    rule('domain-is-pure', 'The domain imports no Node module', { path: '^domain/' }, { dependencyTypes: ['core'] }),
    rule(
      'domain-stands-alone',
      'The domain imports the domain alone',
      { path: '^domain/' },
      { path: '^(application|projections|adapters|tests)/' },
    ),
    rule(
      'domain-libraries',
      'fp-ts, io-ts and pure libraries that an algorithm needs',
      { path: '^domain/' },
      { path: 'node_modules/', pathNot: 'node_modules/(fp-ts|io-ts)/' },
    ),
    rule(
      'aggregates-know-contracts',
      'Of another aggregate only its contract is imported',
      {
        path: '^domain/(video|audio|match-run|access|credit-account|tag-registry|realtime-session|realtime-capacity)/',
      },
      {
        path: '^domain/(video|audio|match-run|access|credit-account|tag-registry|realtime-session|realtime-capacity)/',
        pathNot: ['^domain/$1/', contracts],
      },
    ),
    rule(
      'projections-know-events',
      'Projections answer from event contracts, not from deciders',
      { path: '^projections/' },
      { path: '^(application|adapters|tests)/|^domain/.*(decider|evolve|decisions/|state\\.ts)' },
    ),
    rule(
      'application-orders-steps',
      'The application imports no adapter',
      { path: '^application/' },
      { path: '^(adapters|tests)/' },
    ),
    rule(
      'application-without-node',
      'The application imports no Node module',
      { path: '^application/' },
      { dependencyTypes: ['core'] },
    ),
    rule(
      'adapters-decide-nothing',
      'Adapters use use cases, never deciders of aggregates',
      { path: '^adapters/' },
      { path: '^domain/.*(decider|evolve|decisions/)', pathNot: '^domain/kernel/' },
    ),
    rule(
      'adapters-import-no-siblings',
      'An adapter folder imports no sibling but the client; composition puts them together',
      { path: '^adapters/([^/]+)/', pathNot: '^adapters/(composition|config|eventstoredb-endpoint)/' },
      { path: '^adapters/', pathNot: '^adapters/($1|runtime|client)/' },
    ),
    rule(
      'endpoint-serves-the-embedded-log',
      'The endpoint for EventStoreDB clients reads the rows of the embedded log, and imports no other sibling',
      { path: '^adapters/eventstoredb-endpoint/' },
      { path: '^adapters/', pathNot: '^adapters/(eventstoredb-endpoint|event-store/sqlite|runtime)/' },
    ),
    rule(
      'client-stands-alone',
      'The client is for everybody, browsers too: it imports itself and the table of operations',
      { path: '^adapters/client/' },
      { pathNot: '^adapters/(client/|runtime/operations\\.ts)' },
    ),
    rule('tests-are-not-imported', 'No other folder imports tests', { pathNot: '^tests/' }, { path: '^tests/' }),
    ...Object.entries(folders).map(([name, folder]) =>
      rule(
        `folder-of-${name}`,
        `${name} is imported in one folder`,
        { path: '^(domain|application|projections|adapters)/', pathNot: folder },
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
