import { join } from 'node:path';
import type { Clock } from '#core/clock/clock.ts';
import { openOperatorFetch } from '#core/outbound/operator-fetch.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Problem } from '#core/problem/problem.ts';
import { type BoxDriver, type BoxIsolation, type BoxLimits, type BoxSelfTest, isWeaker } from '#runtime/boxes/box.ts';
import type { BoxDriverConfig } from '#runtime/boxes/driver-config.ts';
import { openBoxDriver } from '#runtime/boxes/open-box-driver.ts';
import { readSelfTestFacts, rememberedSelfTest, type SelfTestMemory } from '#runtime/boxes/remembered-self-test.ts';
import type { Egress } from '#runtime/egress/egress.ts';
import { openNamespaces } from '#runtime/egress/namespaces.ts';
import { openEgressGate } from '#runtime/egress/open-gate.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { type NativeRequest, runNative } from '#runtime/native/native-sandbox.ts';
import { authoritiesWith } from '#runtime/packages/authorities.ts';
import { fillEntry, type InputValues } from '#runtime/packages/fill-entry.ts';
import type { InstallDriver } from '#runtime/packages/install-box.ts';
import { openPackages, type PackagesConfig } from '#runtime/packages/open-packages.ts';
import type { PackageStore, Prepared } from '#runtime/packages/package.ts';
import { packageRefOf } from '#runtime/packages/package-ref.ts';
import { findPython } from '#runtime/packages/python.ts';
import type { ScriptLanguage } from '#runtime/sandbox/sandbox.ts';
import { exactRef } from './exact-ref.ts';
import { SWITCHED_OFF } from './refuse-package.ts';
import type { Runtime } from './runtime.ts';
import { startPackagedServer } from './start-server.ts';

/** Packages in bubblewrap boxes: the boxes, their network, and the store of prepared packages. */

export interface RuntimeConfig extends PackagesConfig, BoxDriverConfig {
  runtime_min: BoxIsolation;
  runtime_memory_mb: number;
  runtime_tmp_mb: number;
  runtime_processes: number;
  runtime_lifetime_ms: number;
  package_store_mb: number;
}

export interface RuntimeDeps {
  config: RuntimeConfig;
  data_dir: string;
  outbound: OutboundFetch;
  clock: Clock;
  /** Whether registries on loopback are allowed, for isolated machines. */
  allow_loopback: boolean;
  /** Other boxes than these for installations: for registries that no box can be granted. */
  install?: ((boxes: BoxDriver) => InstallDriver) | undefined;
  /** Where a passed self-test is remembered for other processes of this user. Without it this process tries the attacks. */
  self_test?: SelfTestMemory | undefined;
}

const MIB = 1_048_576;

/**
 * Opens the runtime. Call it from the first thread: boxes die with the thread that starts them.
 *
 * @throws `runs.unavailable` (`box_unavailable`) if this host cannot run boxes, the operator has disabled packages, or the isolation
 * is weaker than the operator asks for.
 */
export async function openRuntime({
  config,
  data_dir,
  outbound,
  clock,
  allow_loopback,
  install,
  self_test,
}: RuntimeDeps): Promise<Runtime> {
  if (config.runtime === 'off') throw unavailable(SWITCHED_OFF);
  const namespaces = openNamespaces();
  const guard = { allow_loopback };
  const openGate = (egress: Egress) => openEgressGate(egress, { namespaces, guard });
  const boxes = await openBoxDriver(config, { data_dir, openGate, guard });
  const registries = openOperatorFetch({ ca: authoritiesWith(config.registry_ca) });
  const close = async () => {
    await boxes.close();
    await namespaces.close();
    await registries.close();
  };
  const { isolation } = boxes;
  const tested =
    self_test === undefined
      ? await boxes.selfTest()
      : await rememberedSelfTest(boxes, self_test, {
          facts: await readSelfTestFacts(isolation),
          now_ms: clock.now(),
        });
  const refusal = whyNot(tested, isolation, config.runtime_min);
  if (refusal !== null || isolation === null) {
    await close();
    throw unavailable(refusal ?? tested.text);
  }
  const packages = openPackages({
    dir: join(data_dir, 'packages'),
    config,
    boxes: install?.(boxes) ?? boxes,
    registry_fetch: registries.fetch,
    outbound,
    clock,
  });
  const limits = limitsOf(config);
  const collect = collector(packages, config.package_store_mb * MIB, clock);
  const verified = new Set<string>();
  return {
    isolation,
    limits,
    selfTest: () => boxes.selfTest(),
    pin: (source, signal) => exactRef(packages, packageRefOf(source), signal),
    prepare: async (ref, options) => {
      const prepared = await packages.prepare(ref, options);
      collect();
      return prepared;
    },
    find: (ref) => packages.find(ref),
    demote: (ref) => packages.demote(ref),
    start: async (prepared, { args, env, secrets, egress, endpoint, folders }, signal) => {
      const release = await packages.hold(prepared);
      try {
        // Once in each process: from then on the tree is read-only, and this process has not let go of it.
        if (!verified.has(prepared.tree_sha256)) await packages.verify(prepared);
        verified.add(prepared.tree_sha256);
        const entry = fillEntry(prepared.entry, prepared.inputs, valuesOf(prepared.inputs, env));
        const order = {
          prepared: { ...prepared, entry },
          args,
          env: variablesOf(env),
          secrets,
          limits,
          egress,
          endpoint,
          folders,
        };
        const server = await startPackagedServer(boxes, order, signal);
        void server.gone.then(release);
        return server;
      } catch (error) {
        await release();
        throw error;
      }
    },
    prepareSet: async (set, options) => {
      const prepared = await packages.prepareSet(set, options);
      collect();
      return prepared;
    },
    runScript: async (request) => {
      const releases: (() => Promise<void>)[] = [];
      try {
        for (const set of [request.packages.npm, request.packages.pypi])
          if (set !== null) releases.push(await packages.hold(set));
        const python = request.language === 'javascript' ? NO_PYTHON : await pythonOf(config.python, request.language);
        return await runNative({ boxes, dir: join(data_dir, 'native'), limits }, Object.assign({ python }, request));
      } finally {
        for (const release of releases) await release();
      }
    },
    counts: () => {
      const { running, memory_bytes } = boxes.counts();
      return { boxes: running, memory_bytes };
    },
    stored: () => packages.usage(),
    close: async () => {
      await packages.close();
      await close();
    },
  };
}

/** The reason of a driver that starts no box, of one whose self-test failed, or of one that is too weak. */
function whyNot(tested: BoxSelfTest, isolation: BoxIsolation | null, min: BoxIsolation): string | null {
  if (!tested.ok || isolation === null) return tested.text;
  return isWeaker(isolation, min)
    ? `Boxes are isolated by ${isolation} here, but CAPSTAN_RUNTIME_MIN requires ${min}.`
    : null;
}

/** A bundle takes its settings by the names of its inputs; listings name them as environment variables. */
function valuesOf(inputs: Prepared['inputs'], env: Readonly<Record<string, string>>): InputValues {
  const known = inputs.filter(({ name }) => Object.hasOwn(env, name));
  return Object.fromEntries(
    known.map(({ name, multiple }) => {
      const value = env[name] as string;
      return [name, multiple ? value.split('\n').filter((line) => line !== '') : value];
    }),
  );
}

/** Settings of a bundle may have names that no variable can have. */
const variablesOf = (env: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(env).filter(([name]) => /^[A-Za-z_]\w{0,255}$/.test(name)));

const NO_PYTHON = { path: '/usr/bin/python3', mounts: [] };

/** A shell script may start Python if it is installed. */
async function pythonOf(configured: string | null, language: ScriptLanguage): Promise<NativeRequest['python']> {
  try {
    return await findPython(configured);
  } catch (error) {
    if (language === 'python') throw error;
    return NO_PYTHON;
  }
}

const COLLECT_EVERY_MS = 60_000;

/** Removes unused packages if the store exceeds its limit; at most once a minute. */
function collector(packages: PackageStore, max_bytes: number, clock: Clock): () => void {
  let lastMs = Number.NEGATIVE_INFINITY;
  return () => {
    if (clock.now() - lastMs < COLLECT_EVERY_MS) return;
    lastMs = clock.now();
    // The next preparation tries again.
    packages.collect({ max_bytes }).catch(() => {});
  };
}

const limitsOf = (config: RuntimeConfig): BoxLimits => ({
  memory_bytes: config.runtime_memory_mb * MIB,
  processes: config.runtime_processes,
  open_files: 1_024,
  file_bytes: config.runtime_tmp_mb * MIB,
  cpu_ms: null,
  tmp_bytes: config.runtime_tmp_mb * MIB,
  shm_bytes: 16 * MIB,
  wall_ms: config.runtime_lifetime_ms,
});

const unavailable = (detail: string): Problem =>
  runtimeProblem('runs.unavailable', detail, { reason: 'box_unavailable' });
