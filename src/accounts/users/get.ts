import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { usersContract } from './contract.ts';
import type { UsersDeps } from './deps.ts';
import { readPublicProfile, readWholeProfile } from './read-profile.ts';
import { findUser, noSuchUser } from './users.ts';

/** GET /api/users/{id} */
export const getUser =
  (deps: UsersDeps): Handler<typeof usersContract.get> =>
  async ({ params: { id }, caller, origin }) => {
    const { db } = deps.database;
    const user = await findUser(db, id);
    if (user === undefined) throw noSuchUser();
    const own = caller.user_id === id;
    if (!own && !caller.is_operator) return json(await readPublicProfile(deps, user));
    // Written before the profile is shown, so that there is no view without its entry.
    if (!own) {
      const look = { actor: caller.user_id, origin, action: 'users.look', target: id } as const;
      await recordAudit(db, look, isoTime(deps.clock.now()));
    }
    return json(await readWholeProfile(deps, user));
  };
