import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import type { AuditAction } from '#core/audit/actions.ts';
import { type By, recordAudit } from '#core/audit/audit.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';
import { findUser, lockUser, noSuchUser, type User } from './users.ts';

/** Changes of accounts by operators: the account is locked, so that a second operator sees what the first one did. */

interface Operated {
  by: By;
  action: AuditAction;
  reason: string;
  now: string;
}

/** `change` gets the locked account and returns what the audit log records. */
export async function operateOn(
  db: Kysely<Schema>,
  id: string,
  { by, action, reason, now }: Operated,
  change: (trx: Kysely<Schema>, user: User) => Promise<Record<string, unknown>>,
): Promise<User> {
  return db.transaction().execute(async (trx) => {
    const user = (await lockUser(trx, id)) ? await findUser(trx, id) : undefined;
    if (user === undefined) throw noSuchUser();
    const detail = await change(trx, user);
    await recordAudit(trx, { ...by, action, target: id, detail, reason }, now);
    return (await findUser(trx, id)) as User;
  });
}

/** Another operator was faster. */
export const changedMeanwhile = (detail: string): Problem =>
  accountsProblem(
    'users.conflict',
    `${detail} Another operator may have changed it. Reload the account and decide again.`,
    {
      reason: 'changed',
    },
  );
