import { nameInvalid, versionInvalid } from './errors.ts';
import { comparePep440, parsePep440, pep440Text } from './pep440.ts';

/** Names, versions and file names of PyPI. */

/** The normal form of PEP 503: lower case, runs of `.`, `_` and `-` as one `-`. */
export const normalName = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, '-');

/** @throws Problem `http.invalid` (`input`). */
export function checkPypiName(name: string): string {
  if (name.length > 128 || !/^[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/i.test(name))
    throw nameInvalid(name, 'a project name such as mcp-server-time');
  return normalName(name);
}

/**
 * The exact version in the normal form of PEP 440: `v1.0-beta1` is `1.0b1`.
 *
 * @throws Problem `http.invalid` (`input`) for specifiers, tags, local versions and everything else.
 */
export function exactPypiVersion(version: string, name: string): string {
  const parsed = parsePep440(version);
  if (parsed === null || parsed.local !== '') throw versionInvalid(version, name);
  return pep440Text(parsed);
}

interface DistributionFile {
  /** Normalised. */
  name: string;
  /** As written in the file name. */
  version: string;
  wheel: boolean;
}

/** The parts of a file name; null if it is neither a wheel nor a source archive. */
export function parseFileName(file: string): DistributionFile | null {
  if (file.length > 255) return null;
  if (file.endsWith('.whl')) {
    const parts = file.slice(0, -'.whl'.length).split('-');
    const [name, version] = parts;
    if ((parts.length !== 5 && parts.length !== 6) || name === undefined || version === undefined) return null;
    return { name: normalName(name), version, wheel: true };
  }
  const stem = ['.tar.gz', '.zip', '.tar.bz2'].find((ending) => file.endsWith(ending));
  if (stem === undefined) return null;
  const bare = file.slice(0, -stem.length);
  const dash = bare.lastIndexOf('-');
  if (dash <= 0) return null;
  return { name: normalName(bare.slice(0, dash)), version: bare.slice(dash + 1), wheel: false };
}

/** Whether both are the same version by PEP 440: `1.0` and `1.0.0` are. */
export function sameVersion(a: string, b: string): boolean {
  const [left, right] = [parsePep440(a), parsePep440(b)];
  return left !== null && right !== null && comparePep440(left, right) === 0;
}
