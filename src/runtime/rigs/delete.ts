import { DELETED } from '#accounts/users/deleted.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { rigsContract } from './contract.ts';
import type { RigsDeps } from './deps.ts';
import { removeRig } from './remove-rig.ts';

/** DELETE /api/rigs/{id} */
export const deleteRig =
  (deps: RigsDeps): Handler<typeof rigsContract.delete> =>
  async ({ params: { id }, query: { version }, caller: { user_id } }) => {
    await removeRig(deps, { user_id, ref: id }, version);
    return json(DELETED);
  };
