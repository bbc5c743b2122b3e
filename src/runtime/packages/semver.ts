import { createRequire } from 'node:module';

/** The part of the semver library that is used here. The library brings no types. */
interface Semver {
  /** The normal form, or null. */
  valid(version: string): string | null;
  validRange(range: string): string | null;
  satisfies(version: string, range: string, options?: { includePrerelease?: boolean }): boolean;
  maxSatisfying(versions: readonly string[], range: string): string | null;
  /** Descending. */
  rcompare(a: string, b: string): -1 | 0 | 1;
  prerelease(version: string): readonly (string | number)[] | null;
}

const require = createRequire(import.meta.url);

let loaded: Semver | null = null;
function library(): Semver {
  loaded ??= require('semver') as Semver;
  return loaded;
}

/** Loaded with its first use. */
export const semver: Semver = {
  valid: (version) => library().valid(version),
  validRange: (range) => library().validRange(range),
  satisfies: (version, range, options) => library().satisfies(version, range, options),
  maxSatisfying: (versions, range) => library().maxSatisfying(versions, range),
  rcompare: (a, b) => library().rcompare(a, b),
  prerelease: (version) => library().prerelease(version),
};
