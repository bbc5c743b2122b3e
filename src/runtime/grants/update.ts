import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { packagesDigest } from '#runtime/native/needs.ts';
import { isSecretVariable, variableFault } from '#runtime/native/secret-variable.ts';
import { hostFault } from '#runtime/packaged/host-grants.ts';
import type { grantsContract } from './contract.ts';
import type { GrantsOperationsDeps } from './deps.ts';
import { requireRoom } from './require-room.ts';
import { shownGrants, skillOf } from './shown-grants.ts';
import { editGrant, type GrantEdit, listingOf } from './skill-grants.ts';
import { deleteLocks } from './skill-locks.ts';

type Update = Handler<typeof grantsContract.update>;
type Body = Parameters<Update>[0]['body'];

export const updateGrants =
  (deps: GrantsOperationsDeps): Update =>
  async ({ params, body, caller, origin }) => {
    const { db, clock } = deps;
    const found = await skillOf(deps, params, caller.user_id);
    const { place, needs, capability } = found;
    const edit = editOf(body);
    if (body.install !== undefined) edit.accepted = body.install ? packagesDigest(needs) : null;
    if (body.hosts !== undefined) edit.agreed = capability.digest;
    await db.transaction().execute(async (trx) => {
      const now = isoTime(clock.now());
      await requireRoom(trx, deps.storage, place, Buffer.byteLength(JSON.stringify(edit)));
      await editGrant(trx, place, edit, now);
      const locks = Object.assign({ user_id: place.user_id }, listingOf(place.skill));
      if (body.install !== undefined) await deleteLocks(trx, locks);
      const entry = { actor: caller.user_id, origin, action: 'skills.grant', target: place.skill } as const;
      const detail = { hosts: body.hosts?.length ?? null, install: body.install ?? null };
      await recordAudit(trx, Object.assign({ detail }, entry), now);
    });
    return json(await shownGrants(deps, found));
  };

/** @throws Problem `runs.input_invalid` with each name and host that cannot be granted. */
function editOf({ environment, hosts }: Body): GrantEdit {
  const errors = [
    ...Object.keys(environment ?? {}).flatMap((name) => {
      const detail = isSecretVariable(name) ? 'looks like a secret: store it as one' : variableFault(name);
      return detail === null ? [] : [{ pointer: `/environment/${name}`, detail }];
    }),
    ...(hosts ?? []).flatMap((host, at) => {
      const detail = hostFault(host);
      return detail === null ? [] : [{ pointer: `/hosts/${at}`, detail }];
    }),
  ];
  if (errors.length > 0)
    throw runtimeProblem('runs.input_invalid', 'A value or a host is invalid. Nothing was changed.', {
      reason: 'environment',
      errors,
    });
  const edit: GrantEdit = {};
  if (environment !== undefined) edit.environment = environment;
  if (hosts !== undefined) edit.hosts = [...new Set(hosts.map((host) => host.toLowerCase()))];
  return edit;
}
