import type { Handler } from '#core/http/operation.ts';
import type { googleOperations } from './contract.ts';
import { begin, type GoogleDeps } from './begin.ts';

/** POST /api/auth/google/start */
export const startGoogle =
  (deps: GoogleDeps): Handler<typeof googleOperations.startGoogle> =>
  (input) =>
    begin(deps, input, null);
