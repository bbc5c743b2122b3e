import { type Handler, json } from '#core/http/operation.ts';
import type { rigsContract } from './contract.ts';
import { correctRig } from './correct-rig.ts';
import type { RigsDeps } from './deps.ts';
import { wholeRig } from './show-rig.ts';

/** PUT /api/rigs/{id} */
export const updateRig =
  (deps: RigsDeps): Handler<typeof rigsContract.update> =>
  async ({ params: { id }, body: { yaml }, caller: { user_id } }) => {
    const { rig, version } = await correctRig(deps, { user_id, ref: id }, yaml);
    return json(await wholeRig(deps.db, { row: rig, version }));
  };
