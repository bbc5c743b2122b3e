import { type HeldSession, type Opened, openHeldSession } from '../../platform/mcp/held-session.ts';
import { type McpAnswer, type McpLimits, type McpWork, withMcpSession } from '../../platform/mcp/session.ts';
import type { OutboundFetch } from '../../platform/outbound.ts';
import type { Connection } from './connection.ts';
import { timedOut } from './failures.ts';
import type { Carried } from './seams.ts';

/**
 * Sessions with servers, kept open while they are used. Only speed is kept here: any process opens its own, and one
 * that its server forgot is opened anew, once, without anybody noticing.
 */
export interface Upstreams {
  through<T>(to: Destination, limits: McpLimits, signal: AbortSignal | null, work: McpWork<T>): Promise<McpAnswer<T>>;
  /** Closes what is open to this connection's server. */
  forget(connection_id: string): void;
  close(): Promise<void>;
}

export interface Destination extends Carried, Pick<Connection, 'id' | 'transport'> {}

export interface UpstreamsOptions {
  fetch: OutboundFetch;
  idle_ms: number;
  on_tools_changed(connection_id: string): void;
  /** 500 unless given; what was not used longest goes first. */
  most?: number;
}

interface Entry {
  connection_id: string;
  opening: Promise<Opened>;
  session: HeldSession | null;
  busy: number;
  timer: NodeJS.Timeout | undefined;
}

const OPEN_LIMITS: McpLimits = { timeout_ms: 15_000, max_bytes: 4 * 1024 * 1024 };

export function openUpstreams(options: UpstreamsOptions): Upstreams {
  const { fetch, idle_ms, most = 500, on_tools_changed } = options;
  const entries = new Map<string, Entry>();

  const drop = (key: string, entry: Entry): void => {
    if (entries.get(key) === entry) entries.delete(key);
    clearTimeout(entry.timer);
    void entry.opening.then((it) => (it.ok ? it.session.close() : undefined));
  };

  const open = (key: string, to: Destination): Entry => {
    const target = { url: to.url, transport: to.transport, headers: to.headers };
    const changed = () => on_tools_changed(to.id);
    const opening = openHeldSession({ fetch, target, limits: OPEN_LIMITS, on_tools_changed: changed });
    const entry: Entry = { connection_id: to.id, opening, session: null, busy: 0, timer: undefined };
    void opening.then((it) => {
      if (it.ok) entry.session = it.session;
      else drop(key, entry);
    });
    return entry;
  };

  const taken = (key: string, to: Destination): Entry => {
    const known = entries.get(key);
    const entry = known === undefined || known.session?.ended.aborted ? open(key, to) : known;
    clearTimeout(entry.timer);
    entry.busy++;
    // Last in line to be closed.
    entries.delete(key);
    entries.set(key, entry);
    const oldest = entries.size > most ? [...entries].find(([, it]) => it.busy === 0) : undefined;
    if (oldest !== undefined) drop(...oldest);
    return entry;
  };

  const release = (key: string, entry: Entry): void => {
    if (--entry.busy > 0) return;
    entry.timer = setTimeout(() => drop(key, entry), idle_ms).unref();
  };

  const through: Upstreams['through'] = async (to, limits, signal, work) => {
    const older = { ...to, transport: 'sse' } as const;
    if (to.transport === 'sse') return withMcpSession(fetch, older, limits, signal, work);
    const key = `${to.id} ${to.version}`;
    for (let again = false; ; again = true) {
      const entry = taken(key, to);
      try {
        const opened = await opening(entry, limits.timeout_ms, signal);
        if (opened === null) return { ok: false, failure: timedOut(limits.timeout_ms) };
        if (!opened.ok && opened.elsewhere) return await withMcpSession(fetch, older, limits, signal, work);
        if (!opened.ok) return opened;
        const answer = await opened.session.work(limits, signal, work);
        if (answer.ok) return answer;
        const { is_stale, reason } = answer.failure;
        if (is_stale || reason === 'broken' || reason === 'unreachable') drop(key, entry);
        if (!is_stale || again) return answer;
      } finally {
        release(key, entry);
      }
    }
  };

  const closeAll = async (doomed: [string, Entry][]) => {
    for (const [key, entry] of doomed) drop(key, entry);
    await Promise.all(doomed.map(([, { session }]) => session?.close()));
  };
  return {
    through,
    forget: (id) => void closeAll([...entries].filter(([, it]) => it.connection_id === id)),
    close: () => closeAll([...entries]),
  };
}

/** Null where it took too long for this caller; others may still wait for it. */
async function opening(entry: Entry, timeout_ms: number, signal: AbortSignal | null): Promise<Opened | null> {
  if (entry.session !== null) return entry.opening;
  const ends = AbortSignal.any([AbortSignal.timeout(timeout_ms), ...(signal === null ? [] : [signal])]);
  const ended = new Promise<null>((resolve) => ends.addEventListener('abort', () => resolve(null), { once: true }));
  const opened = await Promise.race([entry.opening, ended]);
  if (opened === null && signal?.aborted) throw signal.reason;
  return opened;
}
