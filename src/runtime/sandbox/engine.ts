import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

/** The files that the child runs and may read: just-bash, its dependencies, and our runner. */
export interface Engine {
  /** `just-bash 3.4.2` */
  name: string;
  /** URL of just-bash's module. */
  module_url: string;
  /** URL of its inner module with the class through which Python and JavaScript write; "" if it is not found. */
  bridge_url: string;
  /** Absolute paths of directories and files. */
  readable: string[];
}

interface Manifest {
  version: string;
  dependencies?: Record<string, string>;
}

export function locateEngine(): Engine {
  const entry = fileURLToPath(import.meta.resolve('just-bash'));
  const dir = packageDirOf(entry);
  return {
    name: `just-bash ${manifestOf(dir).version}`,
    module_url: pathToFileURL(entry).href,
    bridge_url: bridgeUrl(join(dirname(entry), 'chunks')),
    readable: [...withDependencies(dir)],
  };
}

/** Its file name changes with every release. */
function bridgeUrl(dir: string): string {
  const names = existsSync(dir) ? readdirSync(dir).filter((name) => name.startsWith('chunk-')) : [];
  const found = names.find((name) => readFileSync(join(dir, name), 'latin1').includes('tryAppendOutput('));
  return found === undefined ? '' : pathToFileURL(join(dir, found)).href;
}

/** The directory of a package and of all that it depends on; optional packages are native code and stay out. */
function withDependencies(dir: string, found = new Set<string>()): Set<string> {
  if (found.has(dir)) return found;
  found.add(dir);
  for (const name of Object.keys(manifestOf(dir).dependencies ?? {})) {
    const dependency = findPackage(dir, name);
    if (dependency !== undefined) withDependencies(dependency, found);
  }
  return found;
}

function findPackage(from: string, name: string): string | undefined {
  const roots = createRequire(join(from, 'package.json')).resolve.paths(name) ?? [];
  const dir = roots.map((root) => join(root, name)).find((candidate) => existsSync(join(candidate, 'package.json')));
  return dir === undefined ? undefined : realpathSync(dir);
}

function packageDirOf(file: string): string {
  let dir = dirname(file);
  while (!existsSync(join(dir, 'package.json'))) dir = dirname(dir);
  return realpathSync(dir);
}

const manifestOf = (dir: string): Manifest => JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
