import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { hostFault } from '#runtime/packaged/host-grants.ts';
import type { grantsContract } from './contract.ts';
import type { GrantsOperationsDeps } from './deps.ts';
import { requireRoom } from './require-room.ts';
import { requireShown, shownGrants, skillOf } from './shown-grants.ts';
import { editGrant } from './skill-grants.ts';

/** PUT /api/agents/skills/{provider}/{id}/grants/hosts */
export const replaceGrantHosts =
  (deps: GrantsOperationsDeps): Handler<typeof grantsContract.replaceHosts> =>
  async ({ params, body, caller, origin }) => {
    const { db, clock } = deps;
    const errors = body.hosts.flatMap((host, at) => {
      const detail = hostFault(host);
      return detail === null ? [] : [{ pointer: `/hosts/${at}`, detail }];
    });
    if (errors.length > 0)
      throw runtimeProblem('runs.input_invalid', 'A host is invalid. Nothing was changed.', {
        reason: 'environment',
        errors,
      });
    const found = await skillOf(deps, params, caller.user_id);
    const { place, capability } = found;
    requireShown(capability, body.digest);
    const hosts = [...new Set(body.hosts.map((host) => host.toLowerCase()))];
    await db.transaction().execute(async (trx) => {
      const now = isoTime(clock.now());
      await requireRoom(trx, deps.storage, place, Buffer.byteLength(JSON.stringify(hosts)));
      await editGrant(trx, place, { hosts, agreed: capability.digest }, now);
      const entry = { actor: caller.user_id, origin, action: 'skills.grant', target: place.skill } as const;
      await recordAudit(trx, Object.assign({ detail: { hosts: hosts.length, install: null } }, entry), now);
    });
    return json(await shownGrants(deps, found));
  };
