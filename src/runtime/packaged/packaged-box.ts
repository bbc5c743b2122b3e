import type { McpFailure } from '#core/mcp/failure.ts';
import type { HeldSession } from '#core/mcp/held-session.ts';
import { type PackagedFacts, type PackagedOrder, type PackageStep, wantedHosts } from '#core/mcp/packaged-servers.ts';
import { openStdioSession, type StdioEnd } from '#core/mcp/stdio-session.ts';
import { secretValues } from '#core/text/secret-values.ts';
import type { Prepared } from '#runtime/packages/package.ts';
import { egressOf, grantsOf } from './host-grants.ts';
import type { Place } from './places.ts';
import type { Runtime } from './runtime.ts';
import type { PackagedServer } from './start-server.ts';

/** One box with a server and the session with it. */
export interface PackagedBox {
  session: HeldSession;
  facts(): PackagedFacts;
  /** The failure, with the missing requirement if that explains it. */
  explained(failure: McpFailure): McpFailure;
  /** Resolves when its processes are gone, with how they ended. */
  gone: Promise<StdioEnd>;
}

export type OpenedBox = { ok: true; box: PackagedBox } | { ok: false; failure: McpFailure; facts: PackagedFacts };

interface BoxStart {
  runtime: Runtime;
  prepared: Prepared;
  order: Pick<PackagedOrder, 'target'>;
  start_ms: number;
  place: Place;
  on_tools_changed(): void;
  tell(step: PackageStep): void;
}

/** How much output a server may write while it starts. */
const START_BYTES = 16 * 1_048_576;

/** Starts the server and speaks MCP with it. The place is released when its processes are gone. */
export async function openBox(start: BoxStart, signal: AbortSignal): Promise<OpenedBox> {
  const { runtime, prepared, order, place, start_ms, on_tools_changed, tell } = start;
  const { arguments: args, env, secrets, hosts, endpoint, folders } = order.target;
  const { scrub } = secretValues(secrets);
  let server: PackagedServer | null = null;
  const factsOf = (): PackagedFacts => factsOfBox({ runtime, prepared, hosts }, server);
  const explained = (failure: McpFailure): McpFailure => {
    const plain = scrubbed(failure, scrub);
    return server?.wantsDisplay() === true ? withoutDisplay(plain) : withWantedHosts(plain, factsOf());
  };
  tell({ step: 'starting', bytes: 0 });
  try {
    const opened = await openStdioSession(
      {
        start: async (ended) => {
          const egress = egressOf(hosts);
          server = await runtime.start(prepared, { args, env, secrets, egress, endpoint, folders }, ended);
          void server.gone.then(place.giveBack);
          place.started();
          return server;
        },
        limits: { timeout_ms: start_ms, max_bytes: START_BYTES },
        on_tools_changed,
      },
      signal,
    );
    if (!opened.ok) return { ok: false, failure: explained(opened.failure), facts: factsOf() };
    const { gone, settled } = server as unknown as PackagedServer;
    settled();
    return { ok: true, box: { session: opened.value, facts: factsOf, explained, gone } };
  } finally {
    // If no process was started, there is none to wait for.
    if (server === null) place.giveBack();
  }
}

/** What ran in the box, and what it reached; before it has started, what will run. */
export function factsOfBox(
  { runtime, prepared, hosts }: { runtime: Pick<Runtime, 'isolation'>; prepared: Prepared; hosts: readonly string[] },
  server: Pick<PackagedServer, 'usage' | 'hosts'> | null,
): PackagedFacts {
  const usage = server?.usage();
  return {
    purl: prepared.ref.purl,
    lock_sha256: prepared.lock_sha256,
    tree_sha256: prepared.tree_sha256,
    size_bytes: prepared.size_bytes,
    isolation: runtime.isolation,
    granted: grantsOf(hosts),
    hosts: server?.hosts() ?? [],
    cpu_ms: usage?.cpu_ms ?? null,
    memory_bytes: usage?.memory_bytes ?? null,
    processes: usage?.processes ?? null,
  };
}

const scrubbed = (failure: McpFailure, scrub: (text: string) => string): McpFailure => ({
  ...failure,
  detail: scrub(failure.detail),
});

const MAYBE_MISSING: readonly McpFailure['reason'][] = ['start_failed', 'timed_out', 'not_mcp', 'broken'];
const MOST_NAMED = 5;

function withoutDisplay(failure: McpFailure): McpFailure {
  if (!MAYBE_MISSING.includes(failure.reason)) return failure;
  const detail = `the server needs a browser or a display, which its box does not have: ${failure.detail}`;
  return { ...failure, reason: 'wants_display', detail };
}

/** A server that fails after it was refused a host most often fails for that. */
function withWantedHosts(failure: McpFailure, { hosts }: PackagedFacts): McpFailure {
  const wanted = wantedHosts(hosts);
  if (wanted.length === 0 || !MAYBE_MISSING.includes(failure.reason)) return failure;
  const named = wanted.slice(0, MOST_NAMED).join(', ');
  return {
    ...failure,
    reason: 'wants_network',
    detail: `the server asked for ${named}, which it may not reach, and failed: ${failure.detail}`,
  };
}
