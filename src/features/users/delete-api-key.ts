import { isoTime } from '../../platform/clock.ts';
import { type Handler, json } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import { recordAudit } from '../audit/audit.ts';
import { deleteApiKey as removeApiKey } from './api-keys.ts';
import type { usersContract } from './contract.ts';
import { DELETED } from './deleted.ts';
import type { UsersDeps } from './deps.ts';

/** DELETE /api/users/{id}/api-keys/{key_id} */
export const deleteApiKey =
  ({ database, clock }: UsersDeps): Handler<typeof usersContract.deleteApiKey> =>
  async ({ params: { id, key_id }, origin }) => {
    await database.db.transaction().execute(async (trx) => {
      if (!(await removeApiKey(trx, id, key_id)))
        throw new Problem('not_found', 'users.key_not_found', 'You have no API key with this id.');
      const entry = { actor: id, origin, action: 'users.revoke_key', target: key_id } as const;
      await recordAudit(trx, entry, isoTime(clock.now()));
    });
    return json(DELETED);
  };
