import { totalmem } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { connectionsProblem } from '#connections/errors.ts';
import type { Clock } from '#core/clock/clock.ts';
import { createFairQueue, QueueBusy } from '#core/fair-queue/fair-queue.ts';
import { identityOf, type Share } from '#core/fair-queue/share.ts';
import type { Log } from '#core/log.ts';
import type {
  KeptBox,
  PackagedAnswer,
  PackagedOrder,
  PackagedServers,
  PackagedWish,
  PackageStep,
} from '#core/mcp/packaged-servers.ts';
import type { McpWork } from '#core/mcp/session.ts';
import type { PackageSource } from '#core/mcp/target.ts';
import { Problem } from '#core/problem/problem.ts';
import type { BoxSelfTest } from '#runtime/boxes/box.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { NativeScripts } from '#runtime/native/native-scripts.ts';
import { openNativeScripts } from '#runtime/native/open-native-scripts.ts';
import { openFlights } from '#runtime/packages/flights.ts';
import type { PackageRef, Prepared } from '#runtime/packages/package.ts';
import { packageRefOf } from '#runtime/packages/package-ref.ts';
import { settingsOf } from '#runtime/packages/settings-of.ts';
import { isExact } from './exact-ref.ts';
import { hostFault } from './host-grants.ts';
import { openKeptBoxes } from './kept-boxes.ts';
import { leaseKept } from './lease-kept.ts';
import { instrumentedServers, type ServerCounts } from './meter.ts';
import type { RuntimeConfig } from './open-runtime.ts';
import { type OpenedBox, openBox, type PackagedBox } from './packaged-box.ts';
import { openPlaces } from './places.ts';
import { packageRefusals, type RefuseConfig } from './refuse-package.ts';
import { openRestarts, wasLimited } from './restarts.ts';
import type { Runtime, RuntimeCounts } from './runtime.ts';

/** MCP servers from packages: prepared once, started in boxes, kept for connections, and counted. */

export interface PackagedConfig extends RuntimeConfig, RefuseConfig {
  runtime_boxes: number;
  runtime_boxes_per_user: number;
  runtime_total_mb: number;
  runtime_preparing: number;
  runtime_idle_ms: number;
  runtime_start_ms: number;
  skill_packages: 'off' | 'ask' | 'allow';
}

interface PackagedDeps {
  config: PackagedConfig;
  clock: Clock;
  log: Log;
  metrics: { registry: Registry };
  /** Opened with the first order, since its self-test takes a second. */
  openRuntime(): Promise<Runtime>;
}

/** The status for operators. */
export interface PackagedStatus {
  /** Null if it works; otherwise the reason why not. */
  refusal: string | null;
  self_test: BoxSelfTest | null;
  counts: RuntimeCounts & ServerCounts;
  /** Boxes by user id, or by the network of anonymous callers. */
  by_user: { user: string; boxes: number }[];
  stored: { packages: number; bytes: number } | null;
}

export interface OwnPackagedServers extends PackagedServers {
  /** Scripts in boxes, which share the places and the store of the servers. */
  scripts: NativeScripts;
  /** Opens the runtime if necessary, which runs its self-test. */
  status(): Promise<PackagedStatus>;
  close(): Promise<void>;
}

const MIB = 1_048_576;
const PLACE_WAIT_MS = 30_000;
/** A runtime that could not be opened is tried again after this time. */
const RETRY_MS = 60_000;

export function openPackagedServers(deps: PackagedDeps): OwnPackagedServers {
  const { config, clock } = deps;
  const runtime = openOnce(deps);
  const meter = instrumentedServers(deps.metrics.registry, () => ({
    ...(runtime.opened()?.counts() ?? { boxes: 0, memory_bytes: 0 }),
  }));
  const kept = openKeptBoxes({ idle_ms: config.runtime_idle_ms, clock, onIdle: () => places.noteIdle() });
  const live = new Map<PackagedBox, Share>();
  const places = openPlaces({
    places: config.runtime_boxes,
    per_user: config.runtime_boxes_per_user,
    budget_bytes: config.runtime_total_mb === 0 ? totalmem() / 2 : config.runtime_total_mb * MIB,
    box_bytes: config.runtime_memory_mb * MIB,
    wait_ms: PLACE_WAIT_MS,
    usedBytes: () => runtime.opened()?.counts().memory_bytes ?? 0,
    idle: kept.idle,
    userOf,
  });
  const preparing = createFairQueue({
    places: config.runtime_preparing,
    waiting: 64,
    waiting_per_share: 8,
    held_per_share: Math.max(1, config.runtime_preparing - 1),
  });
  const flights = openFlights<OpenedBox, PackageStep>();
  const restarts = openRestarts(clock);
  /** Boxes that ended before their first call. Several calls may have waited for one. */
  const unused = new WeakSet<PackagedBox>();
  const refusals = packageRefusals(config);
  const scripts = openNativeScripts({
    policy: config.runtime === 'off' ? 'off' : config.skill_packages,
    openRuntime: () => runtime.open(),
    inPlace: async (share, signal, work) => {
      const place = await places.take({ share }, signal ?? null, () => {});
      place.started();
      try {
        return await work();
      } finally {
        place.giveBack();
      }
    },
  });
  const closing = new AbortController();

  const prepare = async (
    opened: Runtime,
    { target, share }: PackagedOrder,
    signal: AbortSignal,
    tell: (step: PackageStep) => void,
  ): Promise<{ prepared: Prepared; is_new: boolean }> => {
    const ref = await opened.pin(target.package, signal);
    return prepareRef(opened, ref, share, signal, tell);
  };

  const prepareRef = async (
    opened: Runtime,
    ref: PackageRef,
    share: Share,
    signal: AbortSignal,
    tell: (step: PackageStep) => void,
  ): Promise<{ prepared: Prepared; is_new: boolean }> => {
    const stored = await opened.find(ref);
    if (stored !== null) return { prepared: stored, is_new: false };
    tell({ step: 'queued', bytes: 0 });
    const prepared = await meter.prepared(async () => {
      try {
        return await preparing.run(share, () => opened.prepare(ref, { signal, on_step: tell }), signal);
      } catch (error) {
        if (error instanceof QueueBusy) throw queueFull();
        throw error;
      }
    });
    return { prepared, is_new: true };
  };

  /** From nothing to a session. */
  const start = async (
    order: PackagedOrder,
    signal: AbortSignal,
    tell: (step: PackageStep) => void,
  ): Promise<OpenedBox> => {
    const refusal = refusals(wishOf(order));
    if (refusal !== null) throw connectionsProblem('packages.unsupported', refusal, { reason: 'ecosystem' });
    const opened = await runtime.open();
    const { prepared, is_new } = await prepare(opened, order, signal, tell);
    try {
      return await startPrepared(opened, prepared, order, signal, tell);
    } finally {
      // Only after the start, because then the box protects it from the collector.
      if (is_new && order.expendable) await opened.demote(prepared.ref);
    }
  };

  const startPrepared = async (
    opened: Runtime,
    prepared: Prepared,
    order: PackagedOrder,
    signal: AbortSignal,
    tell: (step: PackageStep) => void,
  ): Promise<OpenedBox> => {
    const { share, kept: keeping } = order;
    const place = await places.take({ share }, signal, () => tell({ step: 'queued', bytes: 0 }));
    return meter.started(async () => {
      const on_tools_changed = () => keeping?.on_tools_changed();
      const { runtime_start_ms: start_ms } = config;
      const result = await openBox(
        { runtime: opened, prepared, order, start_ms, place, on_tools_changed, tell },
        signal,
      );
      if (!result.ok) return result;
      live.set(result.box, share);
      void result.box.gone.then(() => live.delete(result.box));
      return result;
    });
  };

  const oneTime = async <T>(order: PackagedOrder, work: McpWork<T>): Promise<PackagedAnswer<T>> => {
    const started = await start(order, order.signal ?? NEVER, (step) => order.on_step?.(step));
    if (!started.ok) return { answer: { ok: false, failure: started.failure }, facts: started.facts };
    try {
      return await worked(started.box, order, work);
    } finally {
      void started.box.session.close();
    }
  };

  /** Kept open if it could be started. */
  const startKept = (order: PackagedOrder, keeping: KeptBox): Promise<OpenedBox> => {
    const { signal, on_step, share } = order;
    const key = keyOf(keeping);
    return flights.join(key, { signal: signal ?? undefined, on_step }, async (shared, tell) => {
      const pauseMs = restarts.pauseOf(key);
      if (pauseMs > 0) await sleep(pauseMs, undefined, { signal: shared });
      const result = await start(order, shared, tell);
      if (result.ok) kept.keep(keeping, userOf(share), result.box);
      else restarts.failed(key, wasLimited(result.failure, null));
      return result;
    });
  };

  const withKept = async <T>(order: PackagedOrder, keeping: KeptBox, work: McpWork<T>): Promise<PackagedAnswer<T>> => {
    const leased = await leaseKept({
      take: () => kept.take(keeping),
      start: () => startKept(order, keeping),
      hasEnded: ({ session }) => session.ended.aborted,
      onUnused: (box) => {
        if (!unused.has(box)) restarts.failed(keyOf(keeping), false);
        unused.add(box);
      },
    });
    if ('failed' in leased)
      return { answer: { ok: false, failure: leased.failed.failure }, facts: leased.failed.facts };
    // The session says how the server ended.
    if ('ended' in leased) return worked(leased.ended, order, work);
    const { lease } = leased;
    try {
      const answered = await worked(lease.box, order, work);
      if (answered.answer.ok) restarts.worked(keyOf(keeping));
      else if (lease.box.session.ended.aborted)
        restarts.failed(keyOf(keeping), wasLimited(answered.answer.failure, await lease.box.gone));
      return answered;
    } finally {
      lease.giveBack();
    }
  };

  const through: PackagedServers['through'] = (order, work) => {
    closing.signal.throwIfAborted();
    return order.kept === null ? oneTime(order, work) : withKept(order, order.kept, work);
  };

  return {
    scripts,
    refusal: (wanted) => refusals(wanted) ?? runtime.refusal(),
    pin: async (source, signal) => {
      const listed = packageRefOf(source);
      const ref = isExact(listed) ? listed : await (await runtime.open()).pin(source, signal);
      return { source: exactSource(source, ref), purl: ref.purl };
    },
    settings: async ({ source, share, signal, on_step }) => {
      const opened = await runtime.open();
      const ref = await opened.pin(source, signal);
      const { prepared } = await prepareRef(opened, ref, share, signal, (step) => on_step?.(step));
      return settingsOf(prepared.inputs);
    },
    hostFault,
    through: async (order, work) => through(order, work),
    forget: kept.forget,
    status: async () => {
      const opened = await runtime.open().catch(() => null);
      const users = Map.groupBy(live.values(), userOf);
      return {
        refusal: opened === null ? runtime.refusal() : null,
        self_test: (await opened?.selfTest()) ?? null,
        counts: { ...(opened?.counts() ?? { boxes: 0, memory_bytes: 0 }), ...meter.counts() },
        by_user: [...users].map(([user, { length: boxes }]) => ({ user, boxes })).sort((a, b) => b.boxes - a.boxes),
        stored: (await opened?.stored()) ?? null,
      };
    },
    close: async () => {
      closing.abort(new DOMException('The service is shutting down.', 'AbortError'));
      await flights.close();
      await kept.close();
      await runtime.close();
    },
  };
}

const NEVER = new AbortController().signal;

async function worked<T>(box: PackagedBox, { limits, signal }: PackagedOrder, work: McpWork<T>) {
  const answer = await box.session.work(limits, signal, work);
  return {
    answer: answer.ok ? answer : { ok: false as const, failure: box.explained(answer.failure) },
    facts: box.facts(),
  };
}

const keyOf = ({ id, version }: KeptBox): string => `${id} ${version}`;

const userOf = (share: Share): string => identityOf(share).key;

const wishOf = ({ target }: PackagedOrder): PackagedWish => ({
  package: target.package,
  transport: target.endpoint?.transport ?? 'stdio',
});

/** A digest of an image is part of its name. */
const exactSource = (source: PackageSource, { ecosystem, name, version }: PackageRef): PackageSource =>
  ecosystem === 'oci' ? { ...source, identifier: `${name}@${version}`, version: '' } : { ...source, version };

const queueFull = (): Problem =>
  runtimeProblem('runs.unavailable', 'Too many packages are being prepared. Retry soon.', {
    reason: 'boxes_busy',
    headers: { 'retry-after': '15' },
  });

/** The runtime, opened once, or the reason why it could not be opened. */
function openOnce({ config, clock, log, openRuntime }: PackagedDeps) {
  let opening: Promise<Runtime> | null = null;
  let opened: Runtime | null = null;
  let refused: { text: string; at_ms: number } | null = null;
  const open = (): Promise<Runtime> => {
    if (refused !== null && clock.now() - refused.at_ms < RETRY_MS) return Promise.reject(unavailable(refused.text));
    opening ??= openRuntime().then(
      (made) => {
        refused = null;
        opened = made;
        return made;
      },
      (error: unknown) => {
        opening = null;
        if (!(error instanceof Problem)) throw error;
        refused = { text: error.message, at_ms: clock.now() };
        if (config.runtime !== 'off') log.warn({ reason: error.message }, 'packages are not run here');
        throw error;
      },
    );
    return opening;
  };
  return {
    open,
    opened: () => opened,
    refusal: () => refused?.text ?? null,
    close: async () => {
      await opening?.then((made) => made.close()).catch(() => {});
    },
  };
}

const unavailable = (detail: string): Problem =>
  runtimeProblem('runs.unavailable', detail, { reason: 'box_unavailable' });
