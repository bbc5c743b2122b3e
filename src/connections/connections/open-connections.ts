import type { Holding } from '#accounts/users/holding.ts';
import { countRefreshes } from '#connections/authorization/count-refreshes.ts';
import { openOAuth } from '#connections/authorization/oauth.ts';
import { revokeKinds } from '#connections/authorization/revoke.ts';
import { joinCredentials } from '#connections/credentials/credentials.ts';
import { handedCalls } from '#connections/questions/handed-calls.ts';
import { openQuestionDesk } from '#connections/questions/question-desk.ts';
import { openSuspendedCalls } from '#connections/questions/suspended-calls.ts';
import { type ToolCalls, toolCalls } from '#connections/tools/tool-calls.ts';
import { openToolLists } from '#connections/tools/tool-lists.ts';
import { openVault } from '#connections/vault/vault.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import type { ConnectionsBase, ConnectionsOptions } from './base.ts';
import { shownConnection } from './connection.ts';
import { idsOf, listConnections, updateConnection } from './connections.ts';
import type { ConnectionsDeps } from './deps.ts';
import { gaugeConnections, instrumentedCalls } from './gauges.ts';
import { lookAt, probing } from './probe.ts';
import { scrubbers } from './scrub.ts';
import type { OAuth } from './seams.ts';
import { type UseServer, useServer } from './servers.ts';
import { openUpstreams, type Upstreams } from './upstreams.ts';

/** The entry point of connections: operations, jobs, and their use by later wings. */
export interface Connections {
  /** Dependencies of operations and model tools, which are loaded on first use. */
  deps: ConnectionsDeps;
  kinds: Record<string, JobKind>;
  /** Schedules the recurring jobs. For processes that run jobs. */
  schedule(): Promise<void>;
  holding: Holding;
  calls: ToolCalls;
  use: UseServer;
  /** Ends the sessions with servers. */
  close(): Promise<void>;
}

export function openConnections(options: ConnectionsOptions): Connections {
  const { registry } = options.metrics;
  const { db, reads } = options.database;
  const base: ConnectionsBase = { ...options, db, reads, countRefresh: countRefreshes(registry) };
  const vault = openVault({ ...base, db: base.reads });
  const oauth = openOAuth(base);
  const credentials = joinCredentials(vault, oauth);
  const upstreams = openUpstreams({ ...options, idle_ms: options.config.idle_ms, on_tools_changed: forgetTools(base) });
  const scrubberOf = scrubbers();
  const use = useServer({ ...base, credentials, upstreams, scrubberOf });
  const tool_lists = openToolLists(base, use);
  const calls = instrumentedCalls(
    toolCalls({ ...base, tool_lists, use, list_holds_ms: options.config.tool_list_holds_ms }),
    registry,
  );
  gaugeConnections(registry, { ...base, open: upstreams.open });
  const look = lookAt({ ...base, credentials, scrubberOf, upstreams });
  const probe = probing(base, look);
  const asking = {
    questions: openQuestionDesk(base),
    suspended: openSuspendedCalls(handedCalls(base), options.threads),
  };
  const reaching = { vault, oauth, credentials, look, probe, upstreams };
  const deps: ConnectionsDeps = Object.assign({ tool_lists, calls }, base, reaching, asking);
  return {
    deps,
    kinds: revokeKinds(base),
    schedule: async () => {},
    holding: holdingOf(oauth, upstreams),
    calls,
    use,
    close: upstreams.close,
  };
}

/** Makes every process read the tools again. Repeated notifications of a server are handled a few times a second. */
function forgetTools({ db, log }: ConnectionsBase): (connectionId: string) => void {
  const due = new Set<string>();
  return (id) => {
    if (due.has(id)) return;
    due.add(id);
    setTimeout(() => {
      due.delete(id);
      updateConnection(db, id, { tools_read_at: null }).catch((error) =>
        log.warn({ error, id }, 'failed to record changed tools'),
      );
    }, 250).unref();
  };
}

const MOST_EXPORTED = 10_000;

/** Connections cascade with their owner's row, after their tokens were queued for revocation. The export has no secrets. */
const holdingOf = ({ giveBack }: OAuth, { forget }: Upstreams): Holding => ({
  name: 'connections',
  read: async (db, { user_id }) =>
    (await listConnections(db, user_id, { limit: MOST_EXPORTED, offset: 0 })).items.map(shownConnection),
  erase: async (trx, { user_id }) => {
    const ids = await idsOf(trx, user_id);
    await giveBack(trx, { user_id, ids });
    for (const id of ids) forget(id);
  },
});
