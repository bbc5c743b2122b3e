import { createHash } from 'node:crypto';
import { open, rm, writeFile } from 'node:fs/promises';
import { join, posix } from 'node:path';
import { defined } from '#core/defined.ts';
import type { Mount } from '#runtime/boxes/box.ts';
import { BOX_PATH } from '#runtime/boxes/command-line.ts';
import { BOX_NODE } from '#runtime/boxes/host.ts';
import type { HostGrant } from '#runtime/egress/egress.ts';
import { type Commands, mainCommand, NO_COMMANDS } from './entries.ts';
import { hashMismatch, installFailed, needsInstallScript, wantsNode, wantsRuntime } from './errors.ts';
import { existsInside, insidePath, makeShared, readInside } from './inside.ts';
import { INSTALL_ROOT, runInstall } from './install-box.ts';
import type { NpmCli } from './npm-cli.ts';
import { npmFailure } from './npm-failure.ts';
import { type LockedPackage, readNpmLock } from './npm-lock.ts';
import { checkNpmName, exactNpmVersion } from './npm-names.ts';
import { isObject, jsonObject, type NpmVersion, readPackument, tarballHost, versionIn } from './npm-registry.ts';
import { PACKAGE_ROOT, type PackageEntry, type PackageSet, TOOLS_ROOT } from './package.ts';
import type { InstallRun, PrepareDeps, PrepareRun, Unpacked } from './prepare.ts';
import { fetchFile } from './registry-fetch.ts';
import { checkAge, releaseCutoff } from './release-age.ts';
import { semver } from './semver.ts';

/** npm: metadata is read here; the CLI resolves, fetches and unpacks in an install box without running scripts. */

const NPM_ROOT = `${TOOLS_ROOT}/npm`;
const TREE = `${INSTALL_ROOT}/tree`;

export async function prepareNpm(deps: PrepareDeps, run: PrepareRun): Promise<Unpacked> {
  const { cli, fetch } = deps.npm;
  const name = checkNpmName(run.ref.name);
  const registry = registryOf(deps, name);
  const version = exactNpmVersion(run.ref.version, name);
  const what = `${name}@${version}`;
  run.step('resolving');
  const packument = await readPackument(fetch, registry, name, run.signal);
  const release = versionIn(packument, version);
  checkAge(what, packument.times.get(version), deps);
  checkNode(release, what, deps.node_version);
  if (run.ref.sha256 !== null) await checkTarball(deps, run, release, what);
  run.step('fetching');
  const tree = join(run.dir, 'tree');
  await makeShared(tree);
  await writeProject(tree, { [name]: version }, deps.allow_scripts);
  await install({
    deps,
    run,
    cli: await cli(run.signal),
    grants: grantsFor(deps, registry, release, what),
    registry,
    what,
  });
  run.step('checking');
  const lock = await lockOf(tree, what);
  const root = lock.packages.find(({ path }) => path === `node_modules/${name}`);
  if (
    root === undefined ||
    root.version !== version ||
    (release.integrity !== '' && root.integrity !== release.integrity)
  )
    throw hashMismatch(what, release.integrity, root?.integrity ?? 'none');
  const skipped = lock.packages.filter((locked) => locked.has_install_script && !isAllowed(deps, locked));
  const commands = await commandsOf(tree, name, what);
  await refuseUnbuilt(tree, skipped, commands, what);
  await removeLocks(tree);
  return {
    tree,
    lock: lock.bytes,
    commands,
    inputs: [],
    mounts: [],
    scripts_skipped: skipped.map((locked) => `${locked.name}@${locked.version}`).sort(),
    locked: null,
  };
}

/**
 * Several packages that scripts import: the same steps, with the newest matching versions that are old enough. With a lock, exactly
 * its files are installed.
 *
 * @throws Problem as `prepareNpm`.
 */
export async function prepareNpmSet(
  deps: PrepareDeps,
  run: InstallRun,
  { packages, lock: wanted }: PackageSet,
): Promise<Unpacked> {
  const { cli, fetch } = deps.npm;
  const what = `The npm packages ${packages.map(({ name }) => name).join(', ')}`;
  run.step('resolving');
  const hosts = new Map<string, HostGrant>();
  for (const each of packages) {
    const registry = registryOf(deps, checkNpmName(each.name));
    const packument = await readPackument(fetch, registry, each.name, run.signal);
    const release = packument.versions.values().next().value;
    if (release !== undefined)
      for (const grant of grantsFor(deps, registry, release, each.name))
        hosts.set(`${grant.host}:${grant.ports}`, grant);
  }
  run.step('fetching');
  const tree = join(run.dir, 'tree');
  await makeShared(tree);
  const dependencies = Object.fromEntries(
    packages.map(({ name, wanted: range }) => [name, range === '' ? '*' : range]),
  );
  await writeProject(tree, dependencies, deps.allow_scripts);
  if (wanted !== null) await writeFile(join(tree, 'package-lock.json'), wanted, { mode: 0o644 });
  const registry = registryOf(deps, packages[0]?.name ?? '');
  const grants = [...hosts.values()];
  await install({ deps, run, cli: await cli(run.signal), grants, registry, what, locked: wanted !== null });
  run.step('checking');
  const lock = await lockOf(tree, what);
  const skipped = lock.packages.filter((locked) => locked.has_install_script && !isAllowed(deps, locked));
  await refuseUnbuilt(tree, skipped, NO_COMMANDS, what);
  await removeLocks(tree);
  return {
    tree,
    lock: lock.bytes,
    commands: NO_COMMANDS,
    inputs: [],
    mounts: [],
    scripts_skipped: skipped.map((locked) => `${locked.name}@${locked.version}`).sort(),
    locked: lock.packages.map(({ name, version }) => ({ name, version })),
  };
}

/** Neither is part of the packages, and both depend on the version of npm. */
async function removeLocks(tree: string): Promise<void> {
  for (const file of ['package-lock.json', 'node_modules/.package-lock.json']) {
    const path = await insidePath(tree, file);
    if (path !== null) await rm(path);
  }
}

const isAllowed = (deps: PrepareDeps, { name }: LockedPackage): boolean => deps.allow_scripts.includes(name);

/** The project that depends on the packages alone. npm 12 reads `allowScripts` before it rebuilds. */
async function writeProject(
  tree: string,
  dependencies: Readonly<Record<string, string>>,
  allowed: readonly string[],
): Promise<void> {
  const allowScripts = Object.fromEntries(allowed.map((each) => [each, true]));
  const project = { name: 'package', version: '0.0.0', private: true, dependencies };
  const whole = allowed.length === 0 ? project : Object.assign(project, { allowScripts });
  await writeFile(join(tree, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`, { mode: 0o644 });
}

function checkNode(release: NpmVersion, what: string, have: string): void {
  if (release.node === '' || release.node.length > 500 || semver.validRange(release.node) === null) return;
  if (!semver.satisfies(have, release.node, { includePrerelease: true })) throw wantsNode(what, release.node, have);
}

/** The listing's own hash is of the tarball; npm checks the registry's. */
async function checkTarball(
  { npm, limits, file_hosts }: PrepareDeps,
  run: PrepareRun,
  release: NpmVersion,
  what: string,
) {
  const signal = AbortSignal.any([run.signal, AbortSignal.timeout(limits.timeout_ms)]);
  const url = tarballHost(release, what);
  const answer = await fetchFile(npm.fetch, { what, url, file_hosts, signal, max_bytes: limits.max_bytes });
  const hash = createHash('sha256');
  for await (const chunk of answer.body ?? []) hash.update(chunk as Uint8Array);
  const found = hash.digest('hex');
  if (found !== run.ref.sha256?.toLowerCase()) throw hashMismatch(what, run.ref.sha256 ?? '', found);
}

/** The registry of the package's scope, or that of all others. */
const registryOf = ({ npm }: PrepareDeps, name: string): string => npm.access.registryOf(name) ?? npm.registry;

/** The hosts of the configured registries, since dependencies have scopes of their own, and the host of the package's file. */
function grantsFor({ npm, file_hosts }: PrepareDeps, registry: string, release: NpmVersion, what: string): HostGrant[] {
  const configured = [registry, npm.registry, ...npm.access.registries].filter((each) => each !== '');
  const own = new Map(configured.map((each) => [new URL(each).host, new URL(each)]));
  const tarball = tarballHost(release, what);
  const hosts = new Map([[tarball.host, tarball], ...own]);
  const named = [...hosts.values()]
    .filter((url) => url.protocol === 'https:' || own.has(url.host))
    .map((url) => ({
      host: url.hostname,
      ports: [Number(url.port) || (url.protocol === 'https:' ? 443 : 80)],
      plain: own.has(url.host),
    }));
  // npm sends a registry's token to redirects to other ports of its host.
  const names = new Set([...own.values()].map(({ hostname }) => hostname));
  return [...named, ...file_hosts.except(names)];
}

interface InstallCall {
  deps: PrepareDeps;
  run: InstallRun;
  cli: NpmCli;
  grants: HostGrant[];
  registry: string;
  what: string;
  /** The tree contains a lock, and nothing else may be installed. */
  locked?: boolean;
}

async function install({ deps, run, cli, grants, registry, what, locked = false }: InstallCall): Promise<void> {
  const { npmrc, secrets } = deps.npm.access;
  const fallback = deps.npm.registry === '' ? registry : deps.npm.registry;
  await makeShared(join(run.dir, 'home'));
  const mounts: Mount[] = [{ from: cli.dir, to: NPM_ROOT, writable: false }];
  if (deps.registry_ca !== null) mounts.push({ from: deps.registry_ca, to: `${TOOLS_ROOT}/ca.pem`, writable: false });
  const cutoff = releaseCutoff(deps);
  const npm = (args: readonly string[]) =>
    runInstall(deps.boxes, {
      what,
      argv: [BOX_NODE, `${NPM_ROOT}/bin/npm-cli.js`, ...args, ...flags(fallback)],
      env: {
        PATH: BOX_PATH,
        HOME: `${INSTALL_ROOT}/home`,
        TMPDIR: `${INSTALL_ROOT}/home`,
        NO_UPDATE_NOTIFIER: '1',
        ...defined({ NODE_EXTRA_CA_CERTS: deps.registry_ca === null ? undefined : `${TOOLS_ROOT}/ca.pem` }),
      },
      dir: run.dir,
      mounts,
      hosts: grants,
      limits: deps.limits,
      signal: run.signal,
      on_bytes: (bytes) => run.step('fetching', bytes),
      secrets,
    });
  const before = cutoff === null || locked ? [] : [`--before=${new Date(cutoff).toISOString()}`];
  // The CLI sends credentials to their addresses only. No code of a package runs while the file is there.
  const credentials = join(run.dir, NPMRC);
  if (npmrc !== '') await writeFile(credentials, npmrc, { mode: 0o644 });
  const result = await npm([locked ? 'ci' : 'install', '--ignore-scripts', ...before]).finally(() =>
    rm(credentials, { force: true }),
  );
  if (result.code !== 0) throw npmFailure(result, what, new URL(registry).host, deps.min_age_ms);
  const { packages } = await lockOf(join(run.dir, 'tree'), what);
  const scripted = packages.filter((each) => each.has_install_script && isAllowed(deps, each));
  if (scripted.length === 0) return;
  const rebuilt = await npm(['rebuild', '--ignore-scripts=false', ...new Set(scripted.map(({ name }) => name))]);
  if (rebuilt.code !== 0) throw npmFailure(rebuilt, what, new URL(registry).host, deps.min_age_ms);
}

const NPMRC = 'home/user.npmrc';

/** Nothing of the host's npm configuration counts: both files are named, and at most the first is there. */
const flags = (registry: string): string[] => [
  `--prefix=${TREE}`,
  `--registry=${registry}`,
  `--cache=${INSTALL_ROOT}/cache`,
  `--userconfig=${INSTALL_ROOT}/${NPMRC}`,
  `--globalconfig=${INSTALL_ROOT}/home/global.npmrc`,
  `--logs-dir=${INSTALL_ROOT}/home`,
  '--logs-max=0',
  '--omit=dev',
  '--omit-lockfile-registry-resolved',
  '--package-lock=true',
  '--lockfile-version=3',
  '--install-strategy=hoisted',
  '--allow-git=none',
  '--allow-remote=none',
  '--allow-file=none',
  '--allow-directory=none',
  '--bin-links=true',
  '--fetch-retries=1',
  '--fetch-retry-mintimeout=500',
  '--fetch-retry-maxtimeout=2000',
  '--fetch-timeout=30000',
  '--audit=false',
  '--fund=false',
  '--update-notifier=false',
  '--progress=false',
  '--json',
];

const MOST_MANIFEST = 4 * 1024 * 1024;
const MOST_LOCK = 32 * 1024 * 1024;

async function lockOf(tree: string, what: string): Promise<{ bytes: Buffer; packages: LockedPackage[] }> {
  const bytes = await readInside(tree, 'package-lock.json', MOST_LOCK);
  if (bytes === null) throw installFailed(what, 'npm wrote no readable lock file');
  return { bytes, packages: readNpmLock(bytes.toString(), what) };
}

/** The commands that the package's own package.json names, as `npx` would start them. */
async function commandsOf(tree: string, name: string, what: string): Promise<Commands> {
  const folder = `node_modules/${name}`;
  const manifest = jsonObject(`${await readInside(tree, `${folder}/package.json`, MOST_MANIFEST)}`) ?? {};
  const bare = name.replace(/^@[^/]+\//, '');
  const named =
    typeof manifest.bin === 'string' ? { [bare]: manifest.bin } : isObject(manifest.bin) ? manifest.bin : {};
  const files = new Map<string, string>();
  for (const [command, file] of Object.entries(named).slice(0, 200)) {
    const path = typeof file === 'string' ? posix.join('/', file).slice(1) : '';
    if (path !== '' && /^[\w.@/+-]{1,100}$/.test(command)) files.set(command.replace(/^@[^/]+\//, ''), path);
  }
  const all: Record<string, PackageEntry> = {};
  const main = mainCommand(files, [bare, name]);
  for (const [command, path] of files) {
    const inside = `${PACKAGE_ROOT}/${folder}/${path}`;
    const runtime = await runtimeOf(tree, `${folder}/${path}`);
    if (runtime.kind === 'other' && command === main) throw wantsRuntime(what, runtime.name);
    all[command] = {
      argv: runtime.kind === 'node' ? [BOX_NODE, ...runtime.flags, inside] : [inside],
      env: { PATH: `${PACKAGE_ROOT}/node_modules/.bin:${BOX_PATH}` },
      cwd: '/tmp',
    };
  }
  return { all, main };
}

type Runtime = { kind: 'node'; flags: string[] } | { kind: 'direct' } | { kind: 'other'; name: string };

/** The interpreter in the first line of a command. A missing file is left to the check of unbuilt packages. */
async function runtimeOf(tree: string, path: string): Promise<Runtime> {
  const first = await firstLine(await insidePath(tree, path));
  const shebang = /^#!\s*(\S+)\s*(.*)$/.exec(first);
  if (shebang === null) return { kind: 'node', flags: [] };
  const words = [shebang[1] as string, ...(shebang[2] as string).split(/\s+/)].filter((word) => word !== '');
  const program = words[0]?.endsWith('/env') ? words.filter((word, i) => i > 0 && word !== '-S')[0] : words[0];
  const after = words.slice(words.indexOf(program ?? '') + 1);
  const bare = program?.split('/').at(-1) ?? '';
  if (bare === 'node' || bare === 'nodejs')
    return { kind: 'node', flags: after.filter((word) => word.startsWith('-')) };
  if (['bun', 'deno'].includes(bare)) return { kind: 'other', name: bare === 'bun' ? 'Bun' : 'Deno' };
  return { kind: 'direct' };
}

async function firstLine(path: string | null): Promise<string> {
  const file = path === null ? null : await open(path, 'r').catch(() => null);
  if (file === null) return '';
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(256), 0, 256, 0);
    return buffer.subarray(0, bytesRead).toString('latin1').split(/\r?\n/)[0] ?? '';
  } finally {
    await file.close();
  }
}

/**
 * Most packages work without their scripts. Those that compile, or whose command a script makes, do not. npm drops an optional
 * dependency that does not compile, so dependents are prepared for that.
 */
async function refuseUnbuilt(tree: string, skipped: readonly LockedPackage[], commands: Commands, what: string) {
  for (const { path, name, version, is_optional } of skipped)
    if (!is_optional && (await existsInside(tree, `${path}/binding.gyp`)) && !(await hasBinary(tree, path)))
      throw needsInstallScript(
        `${name}@${version}`,
        `compiles native code in an install script, which ${what} depends on`,
      );
  const main = commands.main === null ? undefined : commands.all[commands.main];
  const file = main?.argv.at(-1)?.slice(PACKAGE_ROOT.length + 1);
  if (file !== undefined && skipped.length > 0 && !(await existsInside(tree, file)))
    throw needsInstallScript(what, 'creates its command in an install script');
}

const hasBinary = async (tree: string, path: string): Promise<boolean> =>
  (await existsInside(tree, `${path}/prebuilds`)) || (await existsInside(tree, `${path}/build/Release`));
