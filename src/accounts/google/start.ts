import type { Handler } from '#core/http/operation.ts';
import { begin, type GoogleDeps } from './begin.ts';
import type { googleContract } from './contract.ts';

/** POST /api/auth/google/start */
export const startGoogle =
  (deps: GoogleDeps): Handler<typeof googleContract.start> =>
  (input) =>
    begin(deps, input, null);
