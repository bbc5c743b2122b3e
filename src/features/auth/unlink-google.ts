import { type Handler, json } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import { DELETED } from '../users/deleted.ts';
import { unlinkIdentity } from '../users/identities.ts';
import type { googleOperations } from './contract-google.ts';
import type { GoogleDeps } from './google/begin.ts';

/** DELETE /api/auth/google */
export const unlinkGoogle =
  ({ database }: GoogleDeps): Handler<typeof googleOperations.unlinkGoogle> =>
  async ({ caller }) => {
    const outcome = await unlinkIdentity(database.db, caller.user_id, { kind: 'google' });
    if (outcome === 'missing')
      throw new Problem('not_found', 'auth.google_not_linked', 'No Google account is linked to this account.');
    if (outcome === 'last')
      throw new Problem(
        'conflict',
        'auth.last_identity',
        'This is the last way into the account. Link another one first, or delete the account.',
      );
    return json(DELETED);
  };
