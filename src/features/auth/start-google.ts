import type { Handler } from '../../platform/http/operation.ts';
import type { googleOperations } from './contract-google.ts';
import { begin, type GoogleDeps } from './google/begin.ts';

/** POST /api/auth/google/start */
export const startGoogle =
  (deps: GoogleDeps): Handler<typeof googleOperations.startGoogle> =>
  (input) =>
    begin(deps, input, null);
