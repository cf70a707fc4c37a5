/**
 * Mutation testing: `npm run test:mutation -- --mutate 'domain/video/**'` for one folder of the domain, with the
 * domain's tests; `MUTATION_TESTS=^projections/ npm run test:mutation -- --mutate 'projections/*.ts'` for others.
 */
export default {
  mutate: ['domain/**/*.ts'],
  testRunner: 'chosen-tests',
  plugins: ['./tests/mutation/runner.mjs'],
  // Whatever the types say of the mutants.
  buildCommand: 'tsc --noCheck',
  ignorePatterns: ['dist', 'reports', 'data'],
  // TypeScript 7 has no functions for Stryker to rewrite its configuration with; there is nothing to rewrite.
  tsconfigFile: 'none',
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 1,
  timeoutMS: 5_000,
  tempDirName: 'dist/mutation',
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: 'dist/mutation.json' },
  clearTextReporter: { allowColor: false, logTests: false },
  allowEmpty: false,
};
