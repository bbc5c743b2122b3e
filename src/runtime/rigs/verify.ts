import { type Handler, json } from '#core/http/operation.ts';
import type { rigsContract } from './contract.ts';
import type { RigsDeps } from './deps.ts';
import { verdictOnRig } from './verdict-on-rig.ts';

export const verifyRig =
  (deps: RigsDeps): Handler<typeof rigsContract.verify> =>
  async ({ params, body, caller, signal }) => {
    const of = { user_id: caller.user_id, ref: params.id };
    return json(await verdictOnRig(deps, of, body, signal));
  };
