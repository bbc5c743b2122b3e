import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BOX_PATH } from '#runtime/boxes/command-line.ts';
import type { HostGrant } from '#runtime/egress/egress.ts';
import { type Commands, mainCommand, NO_COMMANDS } from './entries.ts';
import {
  ageUnknown,
  dependencyTooNew,
  hashMismatch,
  installFailed,
  needsBuild,
  unpublished,
  wantsPython,
} from './errors.ts';
import { existsInside, insidePath, makeShared, readInside } from './inside.ts';
import { INSTALL_ROOT, type InstallResult, runInstall } from './install-box.ts';
import { PACKAGE_ROOT, type PackageEntry, type PackageSet } from './package.ts';
import { fitsSpecifier, parsePep440 } from './pep440.ts';
import { pipFailure } from './pip-failure.ts';
import type { InstallRun, PrepareDeps, PrepareRun, Unpacked } from './prepare.ts';
import { filesOf, type IndexFile, readIndex } from './pypi-index.ts';
import { checkPypiName, exactPypiVersion, normalName, parseFileName, sameVersion } from './pypi-names.ts';
import type { Python } from './python.ts';
import { checkAge, releaseCutoff } from './release-age.ts';
import { checkZip } from './unzip.ts';

/**
 * PyPI: pip resolves and downloads wheels in an install box that reaches the index. The wheels are hashed and checked
 * here, then installed by pip in a second box without network. Source archives would run build code and are refused.
 */

const SITE = 'site';
/** Below the install folder. pip reads the address of the index there, because a command line must not show a password. */
const INDEX_FILE = 'home/index.txt';
const CA_FILE = 'home/authorities.pem';
/** Rounds in which releases that are too new are left out. */
const MOST_ROUNDS = 6;
const MOST_WHEELS = 1_000;

export async function preparePypi(deps: PrepareDeps, run: PrepareRun): Promise<Unpacked> {
  const name = checkPypiName(run.ref.name);
  const version = exactPypiVersion(run.ref.version, name);
  const what = `${name} ${version}`;
  run.step('resolving');
  const python = await deps.pypi.python(run.signal);
  const files = filesOf(await readIndex(deps.pypi.fetch, deps.pypi.index, name, run.signal), version, name);
  checkRelease(deps, files, python, what);
  run.step('fetching');
  for (const dir of ['tree', 'home']) await makeShared(join(run.dir, dir));
  const grants = grantsFor(deps, files);
  const wheels = await download({ deps, run, python, roots: [`${name}==${version}`], checked: [name], what, grants });
  checkRoot(run, wheels, files, { name, version, what });
  const lock = await installWheels(deps, run, python, wheels, what);
  const tree = join(run.dir, 'tree');
  return {
    tree,
    lock,
    commands: await commandsOf(tree, name, python),
    inputs: [],
    mounts: python.mounts,
    scripts_skipped: [],
    locked: null,
  };
}

/** Checks downloaded wheels and installs them without network. Answers the lock. */
async function installWheels(
  deps: PrepareDeps,
  run: InstallRun,
  python: Python,
  wheels: readonly Wheel[],
  what: string,
): Promise<Buffer> {
  run.step('checking');
  for (const { file } of wheels)
    await checkZip(join(run.dir, 'wheels', file), {
      what: file,
      max_bytes: deps.limits.max_bytes,
      max_files: deps.limits.max_files,
    });
  const lock = Buffer.from(lockText(wheels));
  await writeFile(join(run.dir, 'requirements.lock'), lock);
  await install(deps, run, python, what);
  return lock;
}

const MOST_LOCK = 1024 * 1024;

/**
 * Several packages that scripts import: the same steps, with the newest compatible versions that are old enough. With a lock,
 * exactly its files are downloaded.
 *
 * @throws Problem as `preparePypi`.
 */
export async function preparePypiSet(
  deps: PrepareDeps,
  run: InstallRun,
  { packages, lock: wanted }: PackageSet,
): Promise<Unpacked> {
  const what = `The Python packages ${packages.map(({ name }) => name).join(', ')}`;
  run.step('resolving');
  const python = await deps.pypi.python(run.signal);
  const roots = packages.map(({ name, wanted: specifier }) => `${checkPypiName(name)}${specifier}`);
  const indexed: IndexFile[] = [];
  for (const { name } of packages)
    indexed.push(...(await readIndex(deps.pypi.fetch, deps.pypi.index, checkPypiName(name), run.signal)));
  run.step('fetching');
  for (const dir of ['tree', 'home']) await makeShared(join(run.dir, dir));
  const grants = grantsFor(deps, indexed);
  const order = { deps, run, python, roots, checked: [], what, grants };
  const wheels = wanted === null ? await download(order) : await downloadLocked(order, wanted);
  const lock = await installWheels(deps, run, python, wheels, what);
  return {
    tree: join(run.dir, 'tree'),
    lock,
    commands: NO_COMMANDS,
    inputs: [],
    mounts: python.mounts,
    scripts_skipped: [],
    locked: wheels.map(({ name, version }) => ({ name, version })),
  };
}

/** The files of a lock that was written here before, by their hashes. */
async function downloadLocked(order: Download, lock: Uint8Array): Promise<Wheel[]> {
  const { run, what, deps, python } = order;
  if (lock.length > MOST_LOCK) throw installFailed(what, 'its lock is too large');
  await writeFile(join(run.dir, 'requirements.lock'), lock);
  await makeShared(join(run.dir, 'wheels'));
  const result = await pip(order, [
    'download',
    `--dest=${INSTALL_ROOT}/wheels`,
    '--require-hashes',
    '--no-deps',
    `--requirement=${INSTALL_ROOT}/requirements.lock`,
  ]);
  if (result.code !== 0)
    throw pipFailure(result, { what, host: new URL(deps.pypi.index).host, python: python.version });
  return wheelsIn(join(run.dir, 'wheels'), what);
}

function checkRelease(deps: PrepareDeps, files: readonly IndexFile[], python: Python, what: string): void {
  const have = parsePep440(python.version);
  const fits = ({ requires_python }: IndexFile) => have === null || fitsSpecifier(have, requires_python) !== false;
  if (!files.some(fits)) throw wantsPython(what, files[0]?.requires_python ?? '', python.version);
  if (!files.some(({ wheel }) => wheel)) throw needsBuild(what);
  // An exact pin may use a yanked file while pip still offers it; a version with nothing else is gone.
  if (files.every(({ yanked }) => yanked)) throw unpublished(what);
  const times = files.map(({ uploaded_ms }) => uploaded_ms);
  const newest = times.some((time) => time === undefined) ? undefined : Math.max(...(times as number[]));
  checkAge(what, newest, deps);
}

function grantsFor({ pypi, file_hosts }: PrepareDeps, files: readonly IndexFile[]): HostGrant[] {
  const own = new URL(pypi.index);
  const urls = new Map([own, ...files.map(({ url }) => url)].map((url) => [url.host, url]));
  const named = [...urls.values()]
    .filter((url) => url.protocol === 'https:' || own.protocol === 'http:')
    .slice(0, 8)
    .map((url) => ({
      host: url.hostname,
      ports: [Number(url.port) || (url.protocol === 'https:' ? 443 : 80)],
      plain: url.host === own.host || url.protocol === 'http:',
    }));
  return [...named, ...file_hosts.grants];
}

interface Wheel {
  file: string;
  name: string;
  version: string;
  sha256: string;
}

interface Download {
  deps: PrepareDeps;
  run: InstallRun;
  python: Python;
  /** Requirements in pip's format: `requests[socks]>=2`. */
  roots: readonly string[];
  /** Names whose release age was checked before. */
  checked: readonly string[];
  what: string;
  grants: HostGrant[];
}

/** Downloads, and again with each release left out that is too new, until all are old enough. */
async function download(order: Download): Promise<Wheel[]> {
  const { deps, run, roots, checked, what } = order;
  const excluded: string[] = [];
  for (let round = 0; round < MOST_ROUNDS; round++) {
    await writeFile(join(run.dir, 'constraints.txt'), excluded.map((each) => `${each}\n`).join(''));
    const folder = `wheels-${round}`;
    await makeShared(join(run.dir, folder));
    const result = await pip(order, [
      'download',
      `--dest=${INSTALL_ROOT}/${folder}`,
      `--constraint=${INSTALL_ROOT}/constraints.txt`,
      ...roots,
    ]);
    if (result.code !== 0) {
      if (excluded.length > 0) throw dependencyTooNew(`A dependency of ${what}`, deps.min_age_ms);
      throw pipFailure(result, { what, host: new URL(deps.pypi.index).host, python: order.python.version });
    }
    const wheels = await wheelsIn(join(run.dir, folder), what);
    const young = await tooYoung(deps, run, wheels, checked);
    if (young.length === 0) {
      await rename(join(run.dir, folder), join(run.dir, 'wheels'));
      return wheels;
    }
    await rm(join(run.dir, folder), { recursive: true });
    excluded.push(...young.map((wheel) => `${wheel.name}!=${wheel.version}`));
  }
  throw dependencyTooNew(`A dependency of ${what}`, deps.min_age_ms);
}

/** pip with nothing of the host's configuration, cache and user packages. */
async function pip(
  { deps, run, python, what, grants }: Omit<Download, 'roots' | 'checked'>,
  args: readonly string[],
): Promise<InstallResult> {
  const index = new URL(deps.pypi.index);
  const online = [
    `--requirement=${INSTALL_ROOT}/${INDEX_FILE}`,
    ...(index.protocol === 'http:' ? [`--trusted-host=${index.host}`] : []),
    ...(deps.authorities === undefined ? [] : [`--cert=${INSTALL_ROOT}/${CA_FILE}`]),
    '--retries=1',
    '--timeout=30',
  ];
  const common = [
    '--isolated',
    '--no-input',
    '--no-color',
    '--disable-pip-version-check',
    '--no-cache-dir',
    '--only-binary=:all:',
  ];
  const [command = '', ...rest] = args;
  const isOnline = grants.length > 0;
  const credentials = join(run.dir, INDEX_FILE);
  // Wheels run no code when they are downloaded. The file is gone when they are installed.
  if (isOnline) await writeFile(credentials, `--index-url=${deps.pypi.access.index_url}\n`, { mode: 0o644 });
  // pip trusts the authorities of this file only.
  if (isOnline && deps.authorities !== undefined)
    await writeFile(join(run.dir, CA_FILE), deps.authorities.join('\n'), { mode: 0o644 });
  const where = isOnline ? online : ['--no-index'];
  const ran = inPython({ deps, run, python, what, grants }, ['-I', '-m', 'pip', command, ...common, ...where, ...rest]);
  return ran.finally(() => rm(credentials, { force: true }));
}

function inPython({ deps, run, python, what, grants }: Omit<Download, 'roots' | 'checked'>, args: readonly string[]) {
  return runInstall(deps.boxes, {
    what,
    argv: [python.path, ...args],
    env: {
      PATH: BOX_PATH,
      HOME: `${INSTALL_ROOT}/home`,
      TMPDIR: `${INSTALL_ROOT}/home`,
      LANG: 'C.UTF-8',
      PIP_CONFIG_FILE: '/dev/null',
      // Two installations of the same wheels give the same bytes.
      PYTHONHASHSEED: '0',
    },
    dir: run.dir,
    mounts: python.mounts,
    hosts: grants,
    limits: deps.limits,
    signal: run.signal,
    on_bytes: (bytes) => run.step('fetching', bytes),
    secrets: deps.pypi.access.secrets,
  });
}

async function wheelsIn(dir: string, what: string): Promise<Wheel[]> {
  const names = (await readdir(dir)).sort();
  if (names.length > MOST_WHEELS) throw installFailed(what, `it has more than ${MOST_WHEELS} dependencies`);
  const wheels: Wheel[] = [];
  for (const file of names) {
    const parsed = parseFileName(file);
    const path = await insidePath(dir, file);
    if (parsed === null || !parsed.wheel || path === null) throw installFailed(what, `pip downloaded ${file}`);
    wheels.push({ file, name: parsed.name, version: parsed.version, sha256: await sha256Of(path) });
  }
  return wheels;
}

async function sha256Of(path: string): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  return hash.digest('hex');
}

/** Packages that are too new, by the index's own times. */
async function tooYoung(
  deps: PrepareDeps,
  run: InstallRun,
  wheels: readonly Wheel[],
  checked: readonly string[],
): Promise<Wheel[]> {
  const cutoff = releaseCutoff(deps);
  if (cutoff === null) return [];
  const young: Wheel[] = [];
  const waiting = wheels.filter(({ name }) => !checked.includes(name));
  const look = async () => {
    for (let wheel = waiting.pop(); wheel !== undefined; wheel = waiting.pop()) {
      const files = await readIndex(deps.pypi.fetch, deps.pypi.index, wheel.name, run.signal);
      const { file, name, version } = wheel;
      const uploadedMs = files.find((each) => each.file === file)?.uploaded_ms;
      if (uploadedMs === undefined) throw ageUnknown(`${name} ${version}`);
      if (uploadedMs > cutoff) young.push(wheel);
    }
  };
  await Promise.all(Array.from({ length: 6 }, look));
  return young;
}

/** The package's wheel must be the one that the index names, with the hash of the listing if it has one. */
function checkRoot(
  run: PrepareRun,
  wheels: readonly Wheel[],
  files: readonly IndexFile[],
  root: { name: string; version: string; what: string },
): void {
  const wheel = wheels.find(({ name, version }) => name === root.name && sameVersion(version, root.version));
  if (wheel === undefined) throw installFailed(root.what, 'pip downloaded another version');
  const expected = files.find(({ file }) => file === wheel.file)?.sha256 ?? '';
  for (const hash of [expected, run.ref.sha256?.toLowerCase() ?? ''])
    if (hash !== '' && hash !== wheel.sha256) throw hashMismatch(wheel.file, hash, wheel.sha256);
}

/** A requirements file for `pip install --require-hashes --no-deps`. */
const lockText = (wheels: readonly Wheel[]): string =>
  wheels.map(({ name, version, sha256 }) => `${name}==${version} --hash=sha256:${sha256}\n`).join('');

async function install(deps: PrepareDeps, run: InstallRun, python: Python, what: string): Promise<void> {
  const offline = { deps, run, python, what, grants: [] };
  const result = await pip(offline, [
    'install',
    `--find-links=${INSTALL_ROOT}/wheels`,
    '--require-hashes',
    '--no-deps',
    '--no-compile',
    '--no-warn-script-location',
    '--ignore-installed',
    `--target=${INSTALL_ROOT}/tree/${SITE}`,
    `--requirement=${INSTALL_ROOT}/requirements.lock`,
  ]);
  if (result.code !== 0) throw pipFailure(result, { what, host: 'the index', python: python.version });
  // Checked by hash, not by time: the tree stays valid wherever it is. Files for other Pythons may fail to compile.
  await inPython(offline, [
    '-I',
    '-m',
    'compileall',
    '-q',
    '--invalidation-mode=unchecked-hash',
    '-s',
    `${INSTALL_ROOT}/tree`,
    '-p',
    PACKAGE_ROOT,
    `${INSTALL_ROOT}/tree/${SITE}`,
  ]);
}

const MOST_METADATA = 1024 * 1024;

/** The console scripts of the package itself, as `uvx` would start them. */
async function commandsOf(tree: string, name: string, python: Python): Promise<Commands> {
  const folder = (await readdir(join(tree, SITE))).find(
    (each) =>
      each.endsWith('.dist-info') && normalName(each.slice(0, -'.dist-info'.length).split('-')[0] ?? '') === name,
  );
  const text =
    folder === undefined ? null : await readInside(tree, `${SITE}/${folder}/entry_points.txt`, MOST_METADATA);
  const files = new Map<string, string>();
  for (const [script, target] of consoleScripts(`${text ?? ''}`))
    if (await existsInside(tree, `${SITE}/bin/${script}`)) files.set(script, target);
  const all: Record<string, PackageEntry> = {};
  for (const script of files.keys())
    all[script] = {
      argv: [python.path, `${PACKAGE_ROOT}/${SITE}/bin/${script}`],
      env: {
        PATH: `${PACKAGE_ROOT}/${SITE}/bin:${BOX_PATH}`,
        PYTHONPATH: `${PACKAGE_ROOT}/${SITE}`,
        PYTHONDONTWRITEBYTECODE: '1',
        PYTHONNOUSERSITE: '1',
        PYTHONUNBUFFERED: '1',
      },
      cwd: '/tmp',
    };
  return {
    all,
    main: mainCommand(
      files,
      [...files.keys()].filter((script) => normalName(script) === name),
    ),
  };
}

/** `name = module:function` lines of the section `console_scripts`. */
export function consoleScripts(text: string): Map<string, string> {
  const found = new Map<string, string>();
  let inside = false;
  for (const raw of text.split('\n').slice(0, 5_000)) {
    const line = raw.trim();
    if (line.startsWith('[')) inside = line === '[console_scripts]';
    const at = line.indexOf('=');
    const name = line.slice(0, at).trim();
    if (inside && at > 0 && /^[\w.-]{1,100}$/.test(name)) found.set(name, line.slice(at + 1).trim());
  }
  return found;
}
