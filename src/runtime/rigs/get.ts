import { type Handler, json } from '#core/http/operation.ts';
import type { rigsContract } from './contract.ts';
import type { RigsDeps } from './deps.ts';
import { wholeRig } from './show-rig.ts';
import { storedRig } from './stored-rig.ts';

export const getRig =
  ({ db }: RigsDeps): Handler<typeof rigsContract.get> =>
  async ({ params, query, caller }) => {
    const of = { user_id: caller.user_id, ref: params.id };
    return json(await wholeRig(db, await storedRig(db, of, query.version)));
  };
