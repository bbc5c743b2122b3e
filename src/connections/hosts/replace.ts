import { shownConnection } from '#connections/connections/connection.ts';
import { updateConnection } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import { jsonOrEvents } from '#connections/connections/event-reply.ts';
import { noSuchConnection } from '#connections/connections/failures.ts';
import { grantedHosts } from '#connections/connections/granted-hosts.ts';
import { usableConnection } from '#connections/connections/usable-connection.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Handler } from '#core/http/operation.ts';
import type { hostsContract } from './contract.ts';

/** PUT /api/sessions/connections/{id}/hosts */
export const replaceHosts =
  (deps: ConnectionsDeps): Handler<typeof hostsContract.replace> =>
  async (input) => {
    const { params, body, caller, origin } = input;
    const { db, clock, probe, upstreams, packaged, log } = deps;
    const connection = await usableConnection(db, { user_id: caller.user_id, id: params.id });
    const package_hosts = grantedHosts(connection, body.hosts, packaged);
    const updated = await db.transaction().execute(async (trx) => {
      const entry = { actor: caller.user_id, origin, action: 'sessions.grant_hosts', target: connection.id } as const;
      await recordAudit(trx, { ...entry, detail: { hosts: package_hosts?.length ?? 0 } }, isoTime(clock.now()));
      return updateConnection(trx, connection.id, { package_hosts });
    });
    if (updated === undefined) throw noSuchConnection();
    // The box that ran with the hosts of before ends.
    upstreams.forget(updated.id);
    return jsonOrEvents(input, { log }, async (tell, signal) =>
      shownConnection(await probe(updated, { signal, on_step: (step) => tell('step', step) })),
    );
  };
