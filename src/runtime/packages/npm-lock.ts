import { installFailed, shown, sourceForbidden } from './errors.ts';
import { isObject, jsonObject } from './npm-registry.ts';

/**
 * Checks npm's lock file: every package of the tree comes from the registry and has a hash. One that another package bundles has that
 * package's, because it came in its file.
 */

export interface LockedPackage {
  /** `node_modules/a/node_modules/b`. */
  path: string;
  name: string;
  version: string;
  integrity: string;
  has_install_script: boolean;
  /** Whatever depends on it works without it. */
  is_optional: boolean;
}

const MOST_PACKAGES = 20_000;

/**
 * The packages of a lock file that was written with `--omit-lockfile-registry-resolved`, where `resolved` is left only for
 * sources that are not the registry.
 *
 * @throws Problem `packages.unsupported` (`source_forbidden`), `packages.failed` (`install_failed`).
 */
export function readNpmLock(text: string, what: string): LockedPackage[] {
  const packages = jsonObject(text)?.packages;
  if (!isObject(packages)) throw installFailed(what, 'npm wrote no lock file');
  const entries = Object.entries(packages).filter(([path]) => path !== '');
  if (entries.length > MOST_PACKAGES) throw installFailed(what, `it has more than ${MOST_PACKAGES} dependencies`);
  const hashes = new Map<string, string>();
  // npm lists a package before those in its folder.
  return entries.map(([path, value]) => {
    const name = nameOf(path);
    if (name === null || !isObject(value)) throw sourceForbidden(`The dependency "${shown(path)}"`, 'a directory');
    const { version, resolved, link } = value;
    const integrity = value.inBundle === true ? hashes.get(folderOf(path)) : value.integrity;
    if (link === true) throw sourceForbidden(`The dependency ${name}`, 'a directory');
    if (typeof resolved === 'string') throw sourceForbidden(`The dependency ${name}`, resolved);
    if (typeof version !== 'string' || typeof integrity !== 'string' || !/^sha(?:512|384|256|1)-/.test(integrity))
      throw sourceForbidden(`The dependency ${name}`, 'a source without a hash');
    hashes.set(path, integrity);
    // An alias is installed under one name and published under another.
    const published = typeof value.name === 'string' ? value.name : name;
    const [has_install_script, is_optional] = [value.hasInstallScript === true, value.optional === true];
    return { path, name: published, version, integrity, has_install_script, is_optional };
  });
}

/** The package in whose folder this path is; empty for one at the top. */
const folderOf = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/node_modules/')));

/** The package name at the end of a path in node_modules; null for a path elsewhere. */
function nameOf(path: string): string | null {
  const at = path.lastIndexOf('node_modules/');
  if (at !== 0 && path[at - 1] !== '/') return null;
  const name = path.slice(at + 'node_modules/'.length);
  return path.startsWith('node_modules/') && /^(?:@[^/]+\/)?[^/]+$/.test(name) && !path.includes('..') ? name : null;
}
