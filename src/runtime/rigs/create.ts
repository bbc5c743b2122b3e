import { type Handler, json } from '#core/http/operation.ts';
import type { rigsContract } from './contract.ts';
import type { RigsDeps } from './deps.ts';
import { makeRig } from './make-rig.ts';
import { wholeRig } from './show-rig.ts';

export const createRig =
  (deps: RigsDeps): Handler<typeof rigsContract.create> =>
  async ({ body, caller }) => {
    const { rig, version, is_new } = await makeRig(deps, caller.user_id, body.yaml);
    const headers = { location: `/api/rigs/${rig.id}` };
    return json(await wholeRig(deps.db, { row: rig, version }), { status: is_new ? 201 : 200, headers });
  };
