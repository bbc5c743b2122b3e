import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import type { Schema } from '#core/db/schema.ts';
import type { Problem } from '#core/problem/problem.ts';

/**
 * Accounts that are free to create: a wallet is a random number, so a bot can create hundreds a minute. Such an account
 * is unproven until it completes a proof of work, confirms an email address or links Google. It can read, connect and
 * run first-party skills, but not use models or listings of others.
 */

type Db = Kysely<Schema>;

/** @throws Problem 403 `users.proof_required`, which says what to do. */
export async function requireProven(db: Db, user_id: string): Promise<void> {
  const row = await db
    .selectFrom('users')
    .select('unproven_network')
    .where('id', '=', user_id)
    .where('tier', '=', 'free')
    .executeTakeFirst();
  if (row !== undefined && row.unproven_network !== null) throw proofRequired();
}

/** Returns false if the account is already proven or deleted. */
export async function markProven(db: Db, user_id: string): Promise<boolean> {
  const rows = await db
    .updateTable('users')
    .set({ unproven_network: null })
    .where('id', '=', user_id)
    .where('unproven_network', 'is not', null)
    .returning('id')
    .execute();
  return rows.length === 1;
}

const proofRequired = (): Problem =>
  accountsProblem(
    'users.proof_required',
    'New accounts must verify themselves before using language models or running third-party capabilities. ' +
      'Complete a proof of work (POST /api/auth/proof-of-work), confirm an email address (POST ' +
      '/api/auth/email) or link Google.',
  );
