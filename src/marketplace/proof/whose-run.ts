import type { Kysely } from 'kysely';
import { HOUSE_IDS } from '#accounts/users/house-accounts.ts';
import type { Schema } from '#core/db/schema.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';
import type { RunStatement } from '#runtime/receipts/statement.ts';

/**
 * Finds the account of a run by testing all accounts against the signed commitment. Tasks only give a hint which to test first, so
 * deleting or changing a task has no effect.
 */

/** The account of check runs, which has no row in `users`. */
export const SERVICE_CALLER = 'service:checks';

export type Commitment = (userId: string | null, subject: string) => string;
type Db = Kysely<Schema>;

export type WhoseRun = (
  statement: RunStatement,
  /** The account according to the task. */
  hint: string | undefined,
) => Promise<Pick<ProofRunRow, 'caller' | 'user_id'>>;

/** `nobody` if the account was deleted. Create one per pass, because it caches the accounts. */
export function whoseRun(db: Db, commitment: Commitment): WhoseRun {
  let accounts: Promise<string[]> | null = null;
  const byName = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const holders = (name: string): Promise<ReadonlyMap<string, string>> => {
    accounts ??= allAccounts(db);
    const known = byName.get(name) ?? accounts.then((ids) => commitmentsOf(ids, name, commitment));
    if (byName.size >= MOST_NAMES) byName.clear();
    byName.set(name, known);
    return known;
  };
  return async ({ subject, predicate }, hint) => {
    const name = subject[0]?.name as string;
    const signed = predicate.caller.commitment;
    const is = (userId: string | null) => commitment(userId, name) === signed;
    // Anyone can start them at no cost, so they count for no level and no score.
    if (HOUSE_IDS.some(is)) return { caller: 'nobody', user_id: null };
    if (hint !== undefined && is(hint)) return { caller: 'user', user_id: hint };
    if (is(SERVICE_CALLER)) return { caller: 'service', user_id: null };
    if (is(null)) return { caller: 'operator', user_id: null };
    const user_id = (await holders(name)).get(signed) ?? null;
    return { caller: user_id === null ? 'nobody' : 'user', user_id };
  };
}

/** Maximum number of subjects whose commitments are cached. */
const MOST_NAMES = 100;
const AT_ONCE = 1_000;

async function commitmentsOf(ids: readonly string[], name: string, commitment: Commitment) {
  const found = new Map<string, string>();
  for (const [at, id] of ids.entries()) {
    if (at % AT_ONCE === AT_ONCE - 1) await new Promise((resolve) => setImmediate(resolve));
    found.set(commitment(id, name), id);
  }
  return found;
}

const allAccounts = async (db: Db): Promise<string[]> =>
  (await db.selectFrom('users').select('id').execute()).map(({ id }) => id);
