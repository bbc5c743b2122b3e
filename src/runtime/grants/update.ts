import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { pointerTo } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { packagesDigest } from '#runtime/native/needs.ts';
import { isSecretVariable, variableFault } from '#runtime/native/secret-variable.ts';
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
    const { place, needs } = found;
    const edit = editOf(body);
    if (body.install !== undefined) edit.accepted = body.install ? packagesDigest(needs) : null;
    await db.transaction().execute(async (trx) => {
      const now = isoTime(clock.now());
      await requireRoom(trx, deps.storage, place, Buffer.byteLength(JSON.stringify(edit)));
      await editGrant(trx, place, edit, now);
      const locks = Object.assign({ user_id: place.user_id }, listingOf(place.skill));
      if (body.install !== undefined) await deleteLocks(trx, locks);
      const entry = { actor: caller.user_id, origin, action: 'skills.grant', target: place.skill } as const;
      const detail = { hosts: null, install: body.install ?? null };
      await recordAudit(trx, Object.assign({ detail }, entry), now);
    });
    return json(await shownGrants(deps, found));
  };

/** @throws Problem `runs.input_invalid` with each name that cannot be given. */
function editOf({ environment }: Body): GrantEdit {
  const errors = Object.keys(environment ?? {}).flatMap((name) => {
    const detail = isSecretVariable(name) ? 'looks like a secret: store it as one' : variableFault(name);
    return detail === null ? [] : [{ pointer: `/environment${pointerTo(name)}`, detail }];
  });
  if (errors.length > 0)
    throw runtimeProblem('runs.input_invalid', 'A value is invalid. Nothing was changed.', {
      reason: 'environment',
      errors,
    });
  return defined({ environment });
}
