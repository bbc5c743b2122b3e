import { type Handler, json } from '#core/http/operation.ts';
import type { grantsContract } from './contract.ts';
import type { GrantsOperationsDeps } from './deps.ts';
import { shownGrants, skillOf } from './shown-grants.ts';

export const getGrants =
  (deps: GrantsOperationsDeps): Handler<typeof grantsContract.get> =>
  async ({ params, caller }) =>
    json(await shownGrants(deps, await skillOf(deps, params, caller.user_id)));
