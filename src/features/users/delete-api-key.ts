import { type Handler, json } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import { deleteApiKey as removeApiKey } from './api-keys.ts';
import type { usersContract } from './contract.ts';
import { DELETED } from './deleted.ts';
import type { UsersDeps } from './deps.ts';

/** DELETE /api/users/{id}/api-keys/{key_id} */
export const deleteApiKey =
  ({ database }: UsersDeps): Handler<typeof usersContract.deleteApiKey> =>
  async ({ params: { id, key_id } }) => {
    if (!(await removeApiKey(database.db, id, key_id)))
      throw new Problem('not_found', 'users.key_not_found', 'You have no API key with this id.');
    return json(DELETED);
  };
