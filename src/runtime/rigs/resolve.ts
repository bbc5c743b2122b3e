import { type Handler, json } from '#core/http/operation.ts';
import type { rigsContract } from './contract.ts';
import type { RigsDeps } from './deps.ts';
import { lockRig } from './lock-rig.ts';
import { shownLock } from './show-rig.ts';
import { storedRig } from './stored-rig.ts';

export const resolveRig =
  (deps: RigsDeps): Handler<typeof rigsContract.resolve> =>
  async ({ params, body, caller }) => {
    const of = { user_id: caller.user_id, ref: params.id };
    return json(shownLock(await lockRig(deps, await storedRig(deps.db, of, body.version))));
  };
