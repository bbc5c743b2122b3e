import type { Handler } from '#core/http/operation.ts';
import type { googleOperations } from './contract.ts';
import { begin, type GoogleDeps } from './begin.ts';

/** POST /api/auth/google/link */
export const linkGoogle =
  (deps: GoogleDeps): Handler<typeof googleOperations.linkGoogle> =>
  (input) =>
    begin(deps, input, input.caller.user_id);
