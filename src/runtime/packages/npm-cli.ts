import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { newId } from '#core/ids.ts';
import { managerUnavailable } from './errors.ts';
import { jsonObject } from './npm-registry.ts';
import type { RegistryFetch } from './registry-fetch.ts';
import { semver } from './semver.ts';

/**
 * Finds the npm CLI that runs in install boxes, in this order:
 *
 * 1. the folder that the operator names;
 * 2. the npm beside the Node that runs the service (`<prefix>/lib/node_modules/npm`), as in Node's own distributions;
 * 3. one pinned release from the configured registry, checked against the hash below and kept in the store.
 *
 * A machine's other npm is never used: it belongs to another Node and can change under the service. The `node` package of
 * the registry brings no npm. npm is not a dependency because its licence (Artistic-2.0) is not in the allowed list.
 */
export interface NpmCli {
  /** The folder with `bin/npm-cli.js`. */
  dir: string;
  version: string;
}

/** The first release known to have `allow-remote`, `allow-file` and `allow-directory`, which older ones ignore. */
export const OLDEST_NPM = '11.19.1';

export const PINNED_NPM = {
  version: '11.19.1',
  integrity: 'sha512-ztsxKxt/kkIaAs+2i0GU6I+DRmUdrNasxTZKJe9TCdSjKxlhah/4r/hl5ygMD6XAg1qZ9c2TNomR4qgOydp10g==',
} as const;

export interface NpmCliOptions {
  /** The folder set by the operator, or null. */
  npm_cli: string | null;
  node: string;
  /** The folder for downloads. */
  dir: string;
  registry: string;
  fetch: RegistryFetch;
  pinned?: { version: string; integrity: string } | undefined;
  signal: AbortSignal;
}

/** @throws Problem `packages.unavailable` (`manager_unavailable`) with the places that were tried. */
export async function findNpmCli(options: NpmCliOptions): Promise<NpmCli> {
  const { dir, version } = await chooseNpmCli(options);
  // Boxes do not accept paths with links.
  return { dir: await realpath(dir), version };
}

async function chooseNpmCli(options: NpmCliOptions): Promise<NpmCli> {
  if (options.npm_cli !== null) {
    const version = await versionIn(options.npm_cli);
    if (version !== null && isUsable(version)) return { dir: options.npm_cli, version };
    throw managerUnavailable(
      version === null ? 'CAPSTAN_NPM_CLI is not the folder of an npm CLI.' : `The npm CLI ${version} is too old.`,
      `An operator must set it to npm ${OLDEST_NPM} or newer.`,
    );
  }
  const beside = join(dirname(options.node), '../lib/node_modules/npm');
  const found = await versionIn(beside);
  if (found !== null && isUsable(found)) return { dir: beside, version: found };
  return pinnedNpm(options);
}

const isUsable = (version: string): boolean => semver.satisfies(version, `>=${OLDEST_NPM}`);

async function versionIn(dir: string): Promise<string | null> {
  const manifest = jsonObject(await readFile(join(dir, 'package.json'), 'utf8').catch(() => ''));
  const cli = await readFile(join(dir, 'bin/npm-cli.js')).catch(() => null);
  return manifest?.name === 'npm' && typeof manifest.version === 'string' && cli !== null ? manifest.version : null;
}

const MOST_TARBALL = 32 * 1024 * 1024;
const MOST_UNPACKED = 128 * 1024 * 1024;

async function pinnedNpm(options: NpmCliOptions): Promise<NpmCli> {
  const { version, integrity } = options.pinned ?? PINNED_NPM;
  const dir = join(options.dir, `npm-${version}`);
  if ((await versionIn(dir)) === version) return { dir, version };
  const tarball = await download(options, version);
  const hash = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  if (hash !== integrity)
    throw managerUnavailable(
      `The registry's npm ${version} does not have the expected hash.`,
      'An operator must set CAPSTAN_NPM_CLI.',
    );
  const draft = join(options.dir, `${newId()}.npm`);
  try {
    await unpack(tarball, draft);
    // Another process may have been quicker; its copy has the same hash.
    await rename(draft, dir).catch(async (error) => {
      if ((await versionIn(dir)) !== version) throw error;
    });
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
  return { dir, version };
}

async function download({ fetch, registry, signal }: NpmCliOptions, version: string): Promise<Buffer> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(60_000)]);
  const missing = (cause?: unknown) => {
    signal.throwIfAborted();
    const problem = managerUnavailable(
      `npm ${version} could not be downloaded from the configured registry.`,
      'Retry later, or set CAPSTAN_NPM_CLI.',
    );
    return Object.assign(problem, { cause });
  };
  try {
    const answer = await fetch(`${registry}/npm/-/npm-${version}.tgz`, { signal: limited, max_bytes: MOST_TARBALL });
    if (answer.status === 200) return Buffer.from(await answer.arrayBuffer());
    await answer.body?.cancel();
  } catch (error) {
    throw missing(error);
  }
  throw missing();
}

/** The files of a tarball whose hash is pinned in this program. */
async function unpack(tarball: Buffer, target: string): Promise<void> {
  // Loaded with the first download.
  const { Parser } = await import('tar');
  const files: { path: string; bytes: Promise<Buffer>; executable: boolean }[] = [];
  const parser = new Parser({
    strict: true,
    onReadEntry: (entry) => {
      const path = entry.path.replace(/^package\//, '');
      if (entry.type !== 'File' || path.split('/').includes('..')) return void entry.resume();
      files.push({ path, bytes: entry.concat(), executable: ((entry.mode ?? 0) & 0o111) !== 0 });
    },
  });
  parser.end(await promisify(gunzip)(tarball, { maxOutputLength: MOST_UNPACKED }));
  for (const { path, bytes, executable } of files) {
    const place = join(target, path);
    await mkdir(dirname(place), { recursive: true });
    await writeFile(place, await bytes);
    if (executable) await chmod(place, 0o755);
  }
}
