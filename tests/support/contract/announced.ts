import type { Change } from './changes.js';

/** The text under `### Breaking` in the unreleased part of the changelog. */
const breakingIn = (changelog: string): string => {
  const unreleased = changelog.split(/^## /m).find((part) => part.startsWith('Unreleased')) ?? '';
  return unreleased.split(/^### /m).find((part) => part.startsWith('Breaking')) ?? '';
};

const numbersOf = (version: string): readonly [major: number, minor: number] => {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return [major, minor];
};

/** Whether a version announces breaking changes: a higher major version or, before 1.0.0, a higher minor version. */
const isRaised = (released: string, present: string): boolean => {
  const [[wasMajor, wasMinor], [major, minor]] = [numbersOf(released), numbersOf(present)];
  return major > wasMajor || (major === 0 && wasMajor === 0 && minor > wasMinor);
};

/** Reasons against a release: breaking changes that the changelog does not name, and a version that is not raised. */
export const unannounced = (
  changes: ReadonlyArray<Change>,
  changelog: string,
  versions: { readonly released: string; readonly present: string },
): ReadonlyArray<string> => {
  const breaking = changes.filter(({ breaks }) => breaks);
  if (breaking.length === 0) return [];
  const named = breakingIn(changelog);
  return [
    ...breaking
      .filter(({ at }) => !named.includes(`\`${at}\``))
      .map(({ at, message }) => `docs/changelog.md does not name \`${at}\` under Breaking: ${message}`),
    ...(isRaised(versions.released, versions.present)
      ? []
      : [`the version is still ${versions.present}, and ${versions.released} was released`]),
  ];
};
