import type { Handler } from '../../platform/http/operation.ts';
import type { googleOperations } from './contract-google.ts';
import { begin, type GoogleDeps } from './google/begin.ts';

/** POST /api/auth/google/link */
export const linkGoogle =
  (deps: GoogleDeps): Handler<typeof googleOperations.linkGoogle> =>
  (input) =>
    begin(deps, input, input.caller.user_id);
