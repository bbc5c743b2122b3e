import type { Kysely } from 'kysely';
import type { Schema } from '#core/db/schema.ts';
import { type Identities, listIdentitiesOf } from './identities.ts';
import { listUserPages, type User } from './users.ts';

/** The accounts as a plain text table, one per line. */

const HEAD = ['ID', 'TIER', 'OPERATOR', 'CREATED', 'EMAIL', 'WALLETS', 'NAME'];

/** Returns users whose id, name, email or wallet contains `search` in any case; all for ''. */
export async function usersMatching(db: Kysely<Schema>, search: string): Promise<string[][]> {
  const wanted = search.toLowerCase();
  const rows: string[][] = [];
  for await (const page of listUserPages(db)) {
    const identities = await listIdentitiesOf(
      db,
      page.map((user) => user.id),
    );
    for (const user of page) {
      const held = identities.get(user.id) as Identities;
      if (textsOf(user, held).some((text) => text.toLowerCase().includes(wanted))) rows.push(rowOf(user, held));
    }
  }
  return rows;
}

const textsOf = ({ id, display_name }: User, { wallets, email, google }: Identities): string[] => [
  id,
  display_name,
  email?.email ?? '',
  google?.email ?? '',
  ...wallets.map((wallet) => wallet.address),
];

const rowOf = (user: User, { wallets, email, google }: Identities): string[] => [
  user.id,
  user.tier,
  user.is_operator === 1 ? 'yes' : '-',
  user.created_at.slice(0, 10),
  email?.email ?? google?.email ?? '-',
  `${wallets.length}`,
  user.display_name,
];

export function renderTable(rows: string[][]): string {
  const lines = [HEAD, ...rows].map((row) => row.map(printable));
  const widths = HEAD.map((_, column) =>
    lines.reduce((most, row) => Math.max(most, (row[column] as string).length), 0),
  );
  return lines
    .map(
      (row) =>
        `${row
          .map((cell, column) => cell.padEnd(widths[column] as number))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** A name must not move the operator's cursor or hide the text next to it. */
export const printable = (text: string): string => text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?');
