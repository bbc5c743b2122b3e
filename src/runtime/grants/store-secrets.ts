import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { pointerTo } from '#core/problem/problem.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { variableFault } from '#runtime/native/secret-variable.ts';
import type { grantsContract } from './contract.ts';
import type { GrantsOperationsDeps } from './deps.ts';
import { requireRoom } from './require-room.ts';
import { requireShown, shownGrants, skillOf } from './shown-grants.ts';
import { editGrant, findGrant, putSkillSecrets } from './skill-grants.ts';

export const storeGrantSecrets =
  (deps: GrantsOperationsDeps): Handler<typeof grantsContract.storeSecrets> =>
  async ({ params, body: { secrets, digest }, caller, origin }) => {
    const { db, clock, keys } = deps;
    const errors = Object.keys(secrets).flatMap((name) => {
      const detail = variableFault(name);
      return detail === null ? [] : [{ pointer: `/secrets${pointerTo(name)}`, detail }];
    });
    if (errors.length > 0)
      throw runtimeProblem('runs.input_invalid', 'A name is invalid. Nothing was stored.', {
        reason: 'environment',
        errors,
      });
    const found = await skillOf(deps, params, caller.user_id);
    const { place, capability } = found;
    requireShown(capability, digest);
    await db.transaction().execute(async (trx) => {
      const now = isoTime(clock.now());
      const bytes = Object.values(secrets).reduce((sum, value) => sum + 2 * Buffer.byteLength(value ?? ''), 0);
      await requireRoom(trx, deps.storage, place, bytes);
      // Locks the row, so that of two writers the later one wins completely.
      await editGrant(trx, place, { agreed: capability.digest }, now);
      const kept = (await findGrant(trx, place)).secrets;
      if (new Set([...kept, ...Object.keys(secrets)]).size > MOST_SECRETS) throw tooMany();
      await putSkillSecrets(trx, keys, place, secrets, now);
      const entry = { actor: caller.user_id, origin, action: 'skills.store_secrets', target: place.skill } as const;
      await recordAudit(trx, Object.assign({ detail: { fields: Object.keys(secrets).length } }, entry), now);
    });
    return { ...json(await shownGrants(deps, found)), cache_control: 'no-store' };
  };

const MOST_SECRETS = 100;

const tooMany = () =>
  runtimeProblem('runs.input_invalid', `A skill has at most ${MOST_SECRETS} secrets. Delete some with null.`, {
    reason: 'environment',
  });
