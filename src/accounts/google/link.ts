import type { Handler } from '#core/http/operation.ts';
import { begin, type GoogleDeps } from './begin.ts';
import type { googleContract } from './contract.ts';

/** POST /api/auth/google/link */
export const linkGoogle =
  (deps: GoogleDeps): Handler<typeof googleContract.link> =>
  (input) =>
    begin(deps, input, input.caller.user_id);
