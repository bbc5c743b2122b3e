import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import { findUser } from './users.ts';

/** A suspended account can sign in, read why, export its data and delete itself. Everything else is refused. */

export interface Suspended {
  suspended_at: string | null;
  suspended_reason: string;
}

export function refuseSuspended({ suspended_at, suspended_reason }: Suspended): void {
  if (suspended_at !== null) throw accountSuspended(suspended_reason);
}

/** For what is done on behalf of an account without its credential. */
export async function refuseSuspendedUser(db: Kysely<Schema>, user_id: string): Promise<void> {
  const user = await findUser(db, user_id);
  if (user !== undefined) refuseSuspended(user);
}

const accountSuspended = (reason: string): Problem =>
  accountsProblem('users.forbidden', `This account is suspended: ${reason}`, { reason: 'suspended' });

export const operatorNotSuspended = (): Problem =>
  accountsProblem(
    'users.forbidden',
    'Operators cannot be suspended. On the server, run: capstand users revoke-operator USER',
    { reason: 'operator' },
  );
