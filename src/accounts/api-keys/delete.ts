import { accountsProblem } from '#accounts/errors.ts';
import { DELETED } from '#accounts/users/deleted.ts';
import type { UsersDeps } from '#accounts/users/deps.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import { deleteApiKey as removeApiKey } from './api-keys.ts';
import type { apiKeysContract } from './contract.ts';

/** DELETE /api/users/{id}/api-keys/{key_id} */
export const deleteApiKey =
  ({ database, clock }: UsersDeps): Handler<typeof apiKeysContract.delete> =>
  async ({ params: { id, key_id }, origin }) => {
    await database.db.transaction().execute(async (trx) => {
      if (!(await removeApiKey(trx, id, key_id)))
        throw accountsProblem('auth.not_found', 'API key not found.', { reason: 'api_key' });
      const entry = { actor: id, origin, action: 'users.revoke_key', target: key_id } as const;
      await recordAudit(trx, entry, isoTime(clock.now()));
    });
    return json(DELETED);
  };
