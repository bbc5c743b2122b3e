import type { Kysely } from 'kysely';
import { accountsProblem } from '#accounts/errors.ts';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { findEmail, findWallet, listGoogleAccountsWith } from './identities.ts';
import { findUser, type User } from './users.ts';

type Db = Kysely<Schema>;

/** How an operator may name a user. Later wings know the address formats. */
export interface NameForms {
  /** Returns the normalized email address, or null if invalid. */
  normalEmail(text: string): string | null;
  /** Returns the wallets that the text may be the address of, in canonical form. */
  walletsNamed(text: string): Promise<{ wallet_type: string; address: string }[]>;
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const isUserId = (text: string): boolean => UUID.test(text);

/** Returns the user with this id, email address or wallet address. Throws `users.not_found` or `command.invalid` (`user`). */
export async function findUserNamed(db: Db, name: string, forms: NameForms): Promise<User> {
  const [id, ...others] = isUserId(name)
    ? [name]
    : name.includes('@')
      ? await ownersOfEmail(db, forms.normalEmail(name))
      : await ownersOfWallet(db, await forms.walletsNamed(name));
  if (others.length > 0) throw ambiguous([id as string, ...others]);
  const user = id === undefined ? undefined : await findUser(db, id);
  if (user !== undefined) return user;
  throw accountsProblem(
    'users.not_found',
    `User not found: ${name}. Use an id, email address or wallet address. To list users: capstand users list.`,
  );
}

async function ownersOfEmail(db: Db, email: string | null): Promise<string[]> {
  if (email === null) return [];
  const account = await findEmail(db, email);
  const googles = await listGoogleAccountsWith(db, email);
  return [...new Set([...(account === undefined ? [] : [account]), ...googles].map((google) => google.user_id))];
}

async function ownersOfWallet(db: Db, named: { wallet_type: string; address: string }[]): Promise<string[]> {
  const wallets = await Promise.all(named.map((entry) => findWallet(db, entry.wallet_type, entry.address)));
  return [...new Set(wallets.flatMap((wallet) => (wallet === undefined ? [] : [wallet.user_id])))];
}

const ambiguous = (ids: string[]): Problem =>
  coreProblem('command.invalid', `Ambiguous user name. Matching ids: ${ids.join(', ')}. Use one of these ids.`, {
    reason: 'user',
  });
