import { endOf } from '#core/end.ts';
import { userShare } from '#core/fair-queue/share.ts';
import type { McpFailure } from '#core/mcp/failure.ts';
import type { Opened } from '#core/mcp/held-session.ts';
import type { PackagedFacts, PackagedServers, PackageStep } from '#core/mcp/packaged-servers.ts';
import { openQuestions } from '#core/mcp/questions.ts';
import { type McpAnswer, type McpLimits, type McpWork, withMcpSession } from '#core/mcp/session.ts';
import type { PackageTarget } from '#core/mcp/target.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Connection } from './connection.ts';
import { timedOut } from './failures.ts';
import type { Carried } from './seams.ts';
import { type Entry, openPool } from './upstream-pool.ts';

/**
 * Sessions with servers, kept open while in use, for speed only: any process can open its own, and a session that its
 * server forgot is opened again once, transparently.
 */
export interface Upstreams {
  through<T>(
    to: Destination,
    limits: McpLimits,
    signal: AbortSignal | null,
    work: McpWork<T>,
    watch?: PackageWatch,
  ): Promise<McpAnswer<T>>;
  /** Closes the sessions with this connection's server, and ends its boxes. */
  forget(connectionId: string): void;
  /** Number of open sessions. */
  open(): number;
  close(): Promise<void>;
}

export interface Destination extends Omit<Carried, 'secrets'>, Pick<Connection, 'id' | 'user_id' | 'transport'> {}

/** Callbacks for a server that is started from a package. */
export interface PackageWatch {
  on_step?: ((step: PackageStep) => void) | undefined;
  on_facts?: ((facts: PackagedFacts) => void) | undefined;
}

interface UpstreamsOptions {
  fetch: OutboundFetch;
  packaged: PackagedServers;
  idle_ms: number;
  on_tools_changed(connectionId: string): void;
  /** Default: 500; the least recently used is closed first. */
  most?: number;
}

interface Call<T> {
  limits: McpLimits;
  signal: AbortSignal | null;
  work: McpWork<T>;
}

const OPEN_LIMITS: McpLimits = { timeout_ms: 15_000, max_bytes: 4 * 1024 * 1024 };

export function openUpstreams(options: UpstreamsOptions): Upstreams {
  const { fetch, packaged, idle_ms, most = 500, on_tools_changed } = options;
  const pool = openPool({ idle_ms, most });

  /** Boxes are kept by the same key as sessions: one for each connection and version of its credentials. */
  const throughPackage = async <T>(
    { id, user_id, version }: Destination,
    target: PackageTarget,
    { limits, signal, work }: Call<T>,
    watch: PackageWatch,
  ): Promise<McpAnswer<T>> => {
    const kept = { id, version, on_tools_changed: () => on_tools_changed(id) };
    const order = { target, kept, share: userShare(user_id), limits, signal, on_step: watch.on_step };
    const { answer, facts } = await packaged.through(order, work);
    watch.on_facts?.(facts);
    return answer;
  };

  const throughSse = <T>({ url, headers }: Destination, { limits, signal, work }: Call<T>): Promise<McpAnswer<T>> =>
    withMcpSession(fetch, { url, headers, transport: 'sse', questions: openQuestions() }, limits, signal, work);

  /** `is_stale`: the server forgot the kept session, and a new one may work. */
  const throughKept = async <T>(
    to: Destination,
    call: Call<T>,
  ): Promise<{ answer: McpAnswer<T>; is_stale: boolean }> => {
    const { id, version, url, headers } = to;
    const { limits, signal, work } = call;
    const key = `${id} ${version}`;
    const target = { url, headers, transport: 'streamable-http' } as const;
    const entry = pool.take(key, id, {
      fetch,
      target,
      limits: OPEN_LIMITS,
      on_tools_changed: () => on_tools_changed(id),
    });
    try {
      const opened = await opening(entry, limits.timeout_ms, signal);
      if (opened === null) return { answer: { ok: false, failure: timedOut(limits.timeout_ms) }, is_stale: false };
      if (!opened.ok) return { answer: opened.elsewhere ? await throughSse(to, call) : opened, is_stale: false };
      const answer = await opened.session.work(limits, signal, work);
      if (!answer.ok && endsSession(answer.failure)) pool.drop(key, entry);
      return { answer, is_stale: !answer.ok && answer.failure.is_stale };
    } finally {
      pool.release(key, entry);
    }
  };

  const through: Upstreams['through'] = async (to, limits, signal, work, watch = {}) => {
    if (to.package !== null) return throughPackage(to, to.package, { limits, signal, work }, watch);
    const call = { limits, signal, work };
    if (to.transport === 'sse') return throughSse(to, call);
    const first = await throughKept(to, call);
    return first.is_stale ? (await throughKept(to, call)).answer : first.answer;
  };
  return {
    through,
    forget: (id) => {
      void pool.closeAll((entry) => entry.connection_id === id);
      packaged.forget(id);
    },
    open: pool.size,
    close: () => pool.closeAll(() => true),
  };
}

function endsSession({ is_stale, reason }: McpFailure): boolean {
  return is_stale || reason === 'broken' || reason === 'unreachable';
}

/** Null if it took too long for this caller; others may still wait for it. */
async function opening(entry: Entry, timeout_ms: number, signal: AbortSignal | null): Promise<Opened | null> {
  if (entry.session !== null) return entry.opening;
  const end = endOf({ timeout_ms, with: [signal] });
  const ended = new Promise<null>((resolve) => {
    if (end.signal.aborted) resolve(null);
    end.signal.addEventListener('abort', () => resolve(null), { once: true });
  });
  const opened = await Promise.race([entry.opening, ended]).finally(end.release);
  if (opened === null && signal?.aborted) throw signal.reason;
  return opened;
}
