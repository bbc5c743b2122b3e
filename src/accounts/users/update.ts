import { isoTime } from '#core/clock/clock.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { usersContract } from './contract.ts';
import type { UsersDeps } from './deps.ts';
import { readWholeProfile } from './read-profile.ts';
import { changeUser, noSuchUser } from './users.ts';

/** PATCH /api/users/{id} */
export const updateUser =
  (deps: UsersDeps): Handler<typeof usersContract.update> =>
  async ({ params: { id }, body }) => {
    const display_name = body.display_name.normalize('NFC');
    const user = await changeUser(deps.database.db, id, { display_name }, isoTime(deps.clock.now()));
    if (user === undefined) throw noSuchUser();
    return json(await readWholeProfile(deps, user));
  };
