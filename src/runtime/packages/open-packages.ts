import { chmod, mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '#core/clock/clock.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import { newId } from '#core/ids.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { allowNpmRegistry, allowRegistry } from './allow-registry.ts';
import { authoritiesWith } from './authorities.ts';
import { collect, removeStaging } from './collect.ts';
import { namesIn } from './comma-list.ts';
import { cacheMount, isNode, warmUp, withCache } from './compile-cache.ts';
import { chooseEntry } from './entries.ts';
import { digestRequired, hashRequired, registryRequired, treeChanged, unsupported } from './errors.ts';
import { readFileHosts } from './file-hosts.ts';
import { openFlights } from './flights.ts';
import { openHolds } from './holds.ts';
import { parseImageName } from './image-name.ts';
import { readImageRegistries } from './image-registries.ts';
import type { InstallDriver } from './install-box.ts';
import { findNpmCli } from './npm-cli.ts';
import { checkNpmName, exactNpmVersion } from './npm-names.ts';
import { DIGEST } from './oci-registry.ts';
import {
  PACKAGE_ROOT,
  type PackageRef,
  type PackageSet,
  type PackageStore,
  type Prepared,
  type PreparedSet,
  type PrepareOptions,
  type PrepareStep,
  type StepName,
} from './package.ts';
import type { InstallRun, PrepareDeps, PrepareRun, Unpacked } from './prepare.ts';
import { acquireLock } from './prepare-lock.ts';
import { prepareMcpb } from './prepare-mcpb.ts';
import { prepareNpm, prepareNpmSet } from './prepare-npm.ts';
import { prepareOci, resolveImageTag } from './prepare-oci.ts';
import { preparePypi, preparePypiSet } from './prepare-pypi.ts';
import { checkPypiName, exactPypiVersion } from './pypi-names.ts';
import { findPython, type Python } from './python.ts';
import { openRecords, type PackageRecord, treesOf } from './records.ts';
import { readNetrc, readNpmrc, withCredentials } from './registry-credentials.ts';
import type { RegistryFetch } from './registry-fetch.ts';
import { resolveNpmVersion, resolvePypiVersion } from './resolve-version.ts';
import { treeDir } from './tree-store.ts';
import { openTreeWork } from './tree-work.ts';

/** Values of `PACKAGES_SETTINGS`. */
export interface PackagesConfig {
  npm_registry: string | null;
  npmrc: string | null;
  pypi_index: string | null;
  pypi_netrc: string | null;
  registry_aliases: string;
  npm_cli: string | null;
  python: string | null;
  oci_registries: string;
  oci_auth: string | null;
  oci_token_servers: string;
  package_file_hosts: string;
  registry_ca: string | null;
  package_min_age_ms: number;
  package_timeout_ms: number;
  package_max_mb: number;
  package_max_files: number;
  package_scripts: string;
}

export interface PackagesDeps {
  /** Prepared packages are kept here. Must be on one file system. */
  dir: string;
  config: PackagesConfig;
  boxes: InstallDriver;
  /** Fetch for the configured registries. */
  registry_fetch: RegistryFetch;
  /** Fetch for addresses from listings. */
  outbound: OutboundFetch;
  clock: Clock;
  /** The Node of the boxes; by default the one of this process. */
  node?: string;
  /** Another release than the pinned one; for tests. */
  pinned_npm?: { version: string; integrity: string };
}

/** One thing to prepare. */
interface Target {
  /** See `keyOf`. */
  key: string;
  /** Null for a set. */
  ref: PackageRef | null;
  /** For errors. */
  what: string;
  unpack(run: InstallRun): Promise<Unpacked>;
}

const MIB = 1024 * 1024;
const SHA256 = /^[0-9a-f]{64}$/i;

/** The store of prepared packages. Several processes may open the same folder. */
export function openPackages(options: PackagesDeps): PackageStore {
  const { dir, config } = options;
  const trees = openTreeWork(dir);
  const records = openRecords(join(dir, 'packages'));
  const holds = openHolds(join(dir, 'holds'));
  const staging = join(dir, 'staging');
  const locks = join(dir, 'locks');
  const deps = depsOf(options);
  const flights = openFlights<PackageRecord, PrepareStep>();

  const lookUp = async (key: string): Promise<PackageRecord | null> => {
    const record = await records.read(key);
    if (record === null) return null;
    for (const tree of treesOf(record)) if (!(await trees.has(tree))) return null;
    await records.touch(key);
    return record;
  };

  const prepareOnce = async (
    { key, ref, what, unpack }: Target,
    signal: AbortSignal,
    tell: (step: PrepareStep) => void,
  ) => {
    const stored = await lookUp(key);
    if (stored !== null) return stored;
    // Boxes of a root service run as another user and must be able to enter.
    await mkdir(dir, { recursive: true, mode: 0o755 });
    const held = await acquireLock(join(dir, 'preparing', key), signal, () => lookUp(key));
    if ('value' in held) return held.value;
    const id = newId();
    const release = await holds.hold(id);
    const releases = [release, () => held.lock.release()];
    const own = join(staging, id);
    try {
      // Another process may have finished between the look-up and the lock.
      const meanwhile = await lookUp(key);
      if (meanwhile !== null) return meanwhile;
      await mkdir(own, { recursive: true, mode: 0o700 });
      const steps = timed((step, bytes = 0) => tell({ step, bytes }));
      const unpacked = await unpack({ dir: own, signal, step: steps.step });
      steps.step('storing');
      signal.throwIfAborted();
      await chmod(unpacked.tree, 0o755);
      const { tree_sha256, files, size_bytes } = await trees.measure(unpacked.tree, {
        what,
        max_bytes: deps.limits.max_bytes,
        max_files: deps.limits.max_files,
      });
      // The collector leaves it alone until the record is written.
      releases.push(await holds.hold(tree_sha256));
      await trees.adopt(unpacked.tree);
      const cache_sha256 = await storeCache(own, unpacked, tree_sha256, signal, releases);
      const lock_sha256 = await keepLock(locks, unpacked.lock);
      const { commands, inputs, mounts, scripts_skipped, locked } = unpacked;
      const steps_ms = steps.end();
      const record: PackageRecord = {
        format: 1,
        ref,
        locked,
        lock_sha256,
        tree_sha256,
        cache_sha256,
        commands,
        inputs,
        mounts,
        scripts_skipped,
        size_bytes,
        files,
        steps_ms,
      };
      await records.write(key, record);
      return record;
    } finally {
      await removeStaging(trees, own);
      for (const each of releases) await each();
    }
  };

  /** The compile cache of the main command; null if it is not a Node program or nothing was cached. */
  const storeCache = async (
    own: string,
    { commands, mounts }: Unpacked,
    treeSha256: string,
    signal: AbortSignal,
    releases: (() => Promise<void>)[],
  ): Promise<string | null> => {
    const entry = commands.main === null ? undefined : commands.all[commands.main];
    if (entry === undefined || !isNode(entry)) return null;
    const place = join(own, 'warm');
    await mkdir(place, { mode: 0o755 });
    try {
      const tree = { from: treeDir(dir, treeSha256), to: PACKAGE_ROOT, writable: false };
      const { boxes, limits } = deps;
      const cache = await warmUp({ boxes, mounts: [tree, ...mounts], entry, dir: place, limits, signal });
      if (cache === null) return null;
      const measured = await trees.measure(cache, {
        what: 'The compile cache',
        max_bytes: limits.max_bytes,
        max_files: limits.max_files,
      });
      releases.push(await holds.hold(measured.tree_sha256));
      await trees.adopt(cache);
      return measured.tree_sha256;
    } catch {
      // The package runs without it, only slower.
      signal.throwIfAborted();
      return null;
    }
  };

  const shown = (ref: PackageRef, record: PackageRecord, wanted: string | undefined): Prepared => {
    const { lock_sha256, tree_sha256, cache_sha256, inputs, scripts_skipped, size_bytes, files, steps_ms } = record;
    const tree = treeDir(dir, tree_sha256);
    const isImage = ref.ecosystem === 'oci';
    const entry = chooseEntry(
      record.commands,
      wanted,
      ref.ecosystem === 'mcpb' ? ref.name : `${ref.name}@${ref.version}`,
    );
    const cache = cache_sha256 === null || !isNode(entry) ? [] : [cacheMount(treeDir(dir, cache_sha256))];
    return {
      ref,
      lock_sha256,
      tree_sha256,
      dir: tree,
      lock_file: join(locks, lock_sha256),
      cache_sha256,
      root: isImage ? tree : null,
      mounts: isImage ? [] : [{ from: tree, to: PACKAGE_ROOT, writable: false }, ...cache, ...record.mounts],
      entry: cache.length === 0 ? entry : withCache(entry),
      inputs,
      scripts_skipped,
      size_bytes,
      files,
      steps_ms,
    };
  };

  /** So that the next preparation by the lock finds the same tree. */
  const recordByLock = async (set: PackageSet, record: PackageRecord): Promise<void> => {
    const lock = await readFile(join(locks, record.lock_sha256)).catch(() => null);
    if (lock === null) return;
    const key = await keyOfSet(Object.assign({}, set, { lock }), deps, config);
    if ((await records.read(key)) === null) await records.write(key, record);
  };

  const shownSet = (record: PackageRecord): PreparedSet => {
    const { lock_sha256, tree_sha256, locked, scripts_skipped, size_bytes, files, steps_ms } = record;
    const tree = treeDir(dir, tree_sha256);
    return {
      lock_sha256,
      tree_sha256,
      dir: tree,
      lock_file: join(locks, lock_sha256),
      mounts: [{ from: tree, to: PACKAGE_ROOT, writable: false }, ...record.mounts],
      locked: locked ?? [],
      scripts_skipped,
      size_bytes,
      files,
      steps_ms,
    };
  };

  return {
    prepare: async (ref: PackageRef, { entry, signal, on_step }: PrepareOptions = {}) => {
      signal?.throwIfAborted();
      const key = await keyOf(ref, deps, config);
      const target = {
        key,
        ref,
        what: ref.name,
        unpack: (run: InstallRun) => unpack(deps, Object.assign({ ref }, run)),
      };
      const record = await flights.join(key, { signal, on_step }, (shared, tell) => prepareOnce(target, shared, tell));
      return shown(ref, record, entry);
    },
    prepareSet: async (set, { signal, on_step } = {}) => {
      signal?.throwIfAborted();
      const key = await keyOfSet(set, deps, config);
      const install = set.ecosystem === 'npm' ? prepareNpmSet : preparePypiSet;
      const target = { key, ref: null, what: 'The packages', unpack: (run: InstallRun) => install(deps, run, set) };
      const record = await flights.join(key, { signal, on_step }, (shared, tell) => prepareOnce(target, shared, tell));
      if (set.lock === null) await recordByLock(set, record);
      return shownSet(record);
    },
    find: async (ref, { entry } = {}) => {
      const record = await lookUp(await keyOf(ref, deps, config));
      return record === null ? null : shown(ref, record, entry);
    },
    demote: async (ref) => records.age(await keyOf(ref, deps, config)),
    verify: async (prepared) => {
      const { lock_sha256, ref, lock_file } = prepared;
      const lock = await readFile(lock_file).catch(() => Buffer.alloc(0));
      const sameLock = sha256(lock) === lock_sha256;
      const intact = await Promise.all(treesOf(prepared).map((tree) => trees.isIntact(tree)));
      if (sameLock && intact.every((each) => each)) return;
      // The next preparation starts from the registry again.
      await records.remove(await keyOf(ref, deps, config));
      throw treeChanged(ref.name);
    },
    hold: (prepared) => holds.hold(prepared.tree_sha256),
    resolveVersion: ({ ecosystem, name, wanted, registry = null, signal = new AbortController().signal }) => {
      const request = { name, wanted, signal };
      if (ecosystem === 'oci') return resolveImageTag(deps, request);
      if (ecosystem === 'npm') {
        allowNpmRegistry(config, deps.npm.access, { name, registry });
        return resolveNpmVersion(deps, request);
      }
      allowRegistry(config.pypi_index, registry, 'CAPSTAN_PYPI_INDEX', config.registry_aliases);
      return resolvePypiVersion(deps, request);
    },
    collect: (wanted) => collect({ dir, staging, locks, trees, records, holds }, wanted),
    usage: async () => ({ packages: (await records.list()).length, bytes: await trees.bytes() }),
    close: async () => {
      await flights.close();
      await holds.close();
      await trees.close();
    },
  };
}

/** @throws Problem `packages.unsupported` (`ecosystem`) for ecosystems that cannot be prepared here. */
function unpack(deps: PrepareDeps, run: PrepareRun): Promise<Unpacked> {
  switch (run.ref.ecosystem) {
    case 'npm':
      return prepareNpm(deps, run);
    case 'pypi':
      return preparePypi(deps, run);
    case 'mcpb':
      return prepareMcpb(deps, run);
    case 'oci':
      return prepareOci(deps, run);
    default:
      throw unsupportedEcosystem(run.ref.ecosystem);
  }
}

const unsupportedEcosystem = (ecosystem: string) =>
  unsupported(ecosystem, 'Choose a package from npm or PyPI, an MCPB bundle, or a container image.');

function depsOf(options: PackagesDeps): PrepareDeps {
  const { dir, config, boxes, registry_fetch, outbound, clock, node = process.execPath, pinned_npm } = options;
  let python: Promise<Python> | null = null;
  const npmRegistry = config.npm_registry ?? '';
  const npmAccess = readNpmrc(config.npmrc, config.npm_registry);
  const npmFetch = withCredentials(registry_fetch, npmAccess);
  const indexAccess = readNetrc(config.pypi_netrc, config.pypi_index);
  return {
    clock,
    min_age_ms: config.package_min_age_ms,
    boxes,
    limits: {
      timeout_ms: config.package_timeout_ms,
      max_bytes: config.package_max_mb * MIB,
      max_files: config.package_max_files,
    },
    node_version: process.versions.node,
    allow_scripts: namesIn(config.package_scripts),
    authorities: authoritiesWith(config.registry_ca),
    registry_ca: config.registry_ca,
    file_hosts: readFileHosts(config.package_file_hosts),
    npm: {
      registry: npmRegistry,
      access: npmAccess,
      fetch: npmFetch,
      cli: (signal) =>
        findNpmCli({
          npm_cli: config.npm_cli,
          node,
          dir: join(dir, 'tools'),
          registry: npmRegistry,
          fetch: npmFetch,
          pinned: pinned_npm,
          signal,
        }),
    },
    pypi: {
      index: config.pypi_index ?? '',
      access: indexAccess,
      fetch: withCredentials(registry_fetch, indexAccess),
      python: () => {
        python ??= findPython(config.python);
        // Installed meanwhile, it is found by the next preparation.
        python.catch(() => {
          python = null;
        });
        return python;
      },
    },
    oci: {
      registries: readImageRegistries(config.oci_registries, config.oci_auth, config.oci_token_servers),
      fetch: registry_fetch,
      outbound,
    },
    outbound,
  };
}

/**
 * The key of a preparation: the request in its normal form, and everything that the result depends on here.
 *
 * @throws Problem for names, versions, registries and hashes that can never be prepared.
 */
async function keyOf(ref: PackageRef, deps: PrepareDeps, config: PackagesConfig): Promise<string> {
  const parts = await identityOf(ref, deps, config);
  return sha256(JSON.stringify(parts));
}

async function identityOf(ref: PackageRef, deps: PrepareDeps, config: PackagesConfig): Promise<unknown[]> {
  const { ecosystem, name, version, registry, sha256 } = ref;
  if (sha256 !== null && !SHA256.test(sha256)) throw hashRequired(name);
  const hash = sha256?.toLowerCase() ?? null;
  const node = nodeIdentity();
  if (ecosystem === 'npm') {
    const exact = exactNpmVersion(version, checkNpmName(name));
    const from = allowNpmRegistry(config, deps.npm.access, { name, registry });
    return ['npm', name, exact, from, hash, node, ...deps.allow_scripts.toSorted()];
  }
  if (ecosystem === 'pypi') {
    const normal = checkPypiName(name);
    const exact = exactPypiVersion(version, name);
    const from = allowRegistry(config.pypi_index, registry, 'CAPSTAN_PYPI_INDEX', config.registry_aliases);
    const python = await deps.pypi.python(new AbortController().signal);
    return ['pypi', normal, exact, from, hash, python.path, python.version];
  }
  if (ecosystem === 'oci') {
    const { host, repository } = parseImageName(name);
    if (!DIGEST.test(version)) throw digestRequired(version, name);
    deps.oci.registries.addressOf(host);
    return ['oci', host, repository, version, process.arch];
  }
  if (ecosystem === 'mcpb') {
    // The hash names the bundle, wherever it comes from.
    if (hash === null) throw hashRequired(name);
    return ['mcpb', hash, node];
  }
  throw unsupportedEcosystem(ecosystem);
}

/** @throws Problem as `keyOf`. */
async function keyOfSet(set: PackageSet, deps: PrepareDeps, config: PackagesConfig): Promise<string> {
  const { ecosystem, packages, lock } = set;
  const check = ecosystem === 'npm' ? checkNpmName : checkPypiName;
  const wanted = packages.map(({ name, wanted: range }) => `${check(name)} ${range}`).toSorted();
  const setting = ecosystem === 'npm' ? 'CAPSTAN_NPM_REGISTRY' : 'CAPSTAN_PYPI_INDEX';
  const from = ecosystem === 'npm' ? config.npm_registry : config.pypi_index;
  const ownRegistries = ecosystem === 'npm' ? packages.map(({ name }) => deps.npm.access.registryOf(name)) : [];
  if (from === null && (ownRegistries.length === 0 || ownRegistries.includes(null))) throw registryRequired(setting);
  const python = ecosystem === 'npm' ? null : await deps.pypi.python(new AbortController().signal);
  const engine = python === null ? nodeIdentity() : `${python.path} ${python.version}`;
  const hash = lock === null ? null : sha256(lock);
  const parts = [
    'set',
    ecosystem,
    from,
    engine,
    hash,
    ...wanted,
    ...new Set(ownRegistries.filter((each) => each !== null)),
  ];
  return sha256(JSON.stringify(parts));
}

/** What the files of an npm tree depend on. */
const nodeIdentity = (): string => `node-${process.versions.modules}-${process.platform}-${process.arch}`;

async function keepLock(locks: string, lock: Uint8Array): Promise<string> {
  const digest = sha256(lock);
  await mkdir(locks, { recursive: true });
  const draft = join(locks, `${newId()}.new`);
  await writeFile(draft, lock, { mode: 0o444 });
  await rename(draft, join(locks, digest));
  return digest;
}

/** Adds up the time of each step. */
function timed(tell: InstallRun['step']) {
  const spent: Record<string, number> = {};
  let current: StepName | null = null;
  let since = performance.now();
  const mark = (next: StepName | null) => {
    if (current !== null) spent[current] = Math.round((spent[current] ?? 0) + performance.now() - since);
    since = performance.now();
    current = next;
  };
  return {
    step: (step: StepName, bytes = 0) => {
      if (step !== current) mark(step);
      tell(step, bytes);
    },
    end: () => {
      mark(null);
      return spent;
    },
  };
}
