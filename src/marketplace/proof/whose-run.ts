import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import type { ProofRunRow } from '#core/db/schema-proof.ts';
import type { RunStatement } from '#runtime/receipts/statement.ts';

/**
 * Whose a run was, out of what was signed and the accounts that there are: each is tried on the commitment. Tasks say which to
 * try first and nothing else, so that deleting or changing one changes nothing.
 */

/** The account of our own check runs; it is no row of `users`. */
export const SERVICE_CALLER = 'service:checks';

export type Commitment = (user_id: string | null, subject: string) => string;
type Db = Kysely<Schema>;

export type WhoseRun = (
  statement: RunStatement,
  /** Who the task says it was. */
  hint: string | undefined,
) => Promise<Pick<ProofRunRow, 'caller' | 'user_id'>>;

/** Nobody's where the account is gone. One for each pass over the log: it knows the accounts of when it was made. */
export function whoseRun(db: Db, commitment: Commitment): WhoseRun {
  let accounts: Promise<string[]> | null = null;
  const by_name = new Map<string, Promise<ReadonlyMap<string, string>>>();
  const holders = (name: string): Promise<ReadonlyMap<string, string>> => {
    accounts ??= allAccounts(db);
    const known = by_name.get(name) ?? accounts.then((ids) => commitmentsOf(ids, name, commitment));
    if (by_name.size >= MOST_NAMES) by_name.clear();
    by_name.set(name, known);
    return known;
  };
  return async ({ subject, predicate }, hint) => {
    const name = subject[0]?.name as string;
    const signed = predicate.caller.commitment;
    const is = (user_id: string | null) => commitment(user_id, name) === signed;
    if (hint !== undefined && is(hint)) return { caller: 'user', user_id: hint };
    if (is(SERVICE_CALLER)) return { caller: 'service', user_id: null };
    if (is(null)) return { caller: 'operator', user_id: null };
    const user_id = (await holders(name)).get(signed) ?? null;
    return { caller: user_id === null ? 'nobody' : 'user', user_id };
  };
}

/** So many versions of things whose commitments are kept. */
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
