import { nameInvalid, versionInvalid } from './errors.ts';
import { semver } from './semver.ts';

/** Names and versions of npm. */

/** No part begins with a dash, so a name is never read as an option. */
const PART = /^[a-z0-9~][a-z0-9._~-]*$/i;
const MOST_CHARS = 214;

/** @throws Problem `http.invalid` (`input`). */
export function checkNpmName(name: string): string {
  const [, scope, rest] = /^(?:@([^/]+)\/)?([^/]+)$/.exec(name.slice(0, MOST_CHARS + 1)) ?? [];
  const good =
    name.length <= MOST_CHARS &&
    rest !== undefined &&
    PART.test(rest) &&
    (scope === undefined || PART.test(scope)) &&
    rest !== 'node_modules' &&
    rest !== 'favicon.ico';
  if (!good) throw nameInvalid(name, 'a name such as server or @scope/server');
  return name;
}

/**
 * The exact version in its normal form: `v1.0.0` is `1.0.0`.
 *
 * @throws Problem `http.invalid` (`input`) for ranges, tags and everything else.
 */
export function exactNpmVersion(version: string, name: string): string {
  const exact = /^v?\d\S*$/.test(version) && version.length <= 256 ? semver.valid(version) : null;
  if (exact === null) throw versionInvalid(version, name);
  return exact;
}
