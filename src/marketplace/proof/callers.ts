import type { TierName } from '#accounts/quotas/tiers.ts';
import { marks } from '#catalog/identity/capabilities.ts';
import type { Connection } from '#core/db/connection.ts';
import type { CallerFacts } from './caller-weight.ts';
import type { DayOfCaller } from './runs.ts';

/** Facts about the accounts that ran something. */

interface Account {
  id: string;
  tier: string;
  created_at: string;
  networks: readonly string[];
}

const PAGE = 500;

export async function accountsOf(db: Pick<Connection, 'query'>, ids: readonly string[]): Promise<Account[]> {
  const found: Account[] = [];
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE);
    const accounts = await db.query<Omit<Account, 'networks'>>(
      `SELECT id, tier, created_at FROM users WHERE id IN (${marks(some)})`,
      some,
    );
    const networks = Map.groupBy(
      await db.query<{ user_id: string; network: string }>(
        `SELECT user_id, network FROM account_networks WHERE user_id IN (${marks(some)}) ORDER BY user_id, network`,
        some,
      ),
      (row) => row.user_id,
    );
    for (const { id, tier, created_at } of accounts)
      found.push({ id, tier, created_at, networks: (networks.get(id) ?? []).map(({ network }) => network) });
  }
  return found;
}

/** Facts by account. `publishers` has the publisher of each subject. Pure. */
export function factsOf(
  accounts: readonly Account[],
  days: readonly DayOfCaller[],
  publishers: ReadonlyMap<string, string>,
): Map<string, CallerFacts> {
  const of = Map.groupBy(days, (day) => day.user_id);
  return new Map(
    accounts.map(({ id, tier, created_at, networks }) => {
      const runs = of.get(id) ?? [];
      const counts = new Map<string, number>();
      for (const { subject } of runs) {
        const publisher = publishers.get(subject) ?? subject;
        counts.set(publisher, (counts.get(publisher) ?? 0) + 1);
      }
      const [favourite, most] = [...counts].reduce(
        (a, b) => (b[1] > a[1] || (b[1] === a[1] && b[0] < a[0]) ? b : a),
        ['', 0],
      );
      const facts: CallerFacts = {
        created_ms: Date.parse(created_at),
        tier: tier as TierName,
        networks,
        favourite,
        share: runs.length === 0 ? 1 : most / runs.length,
        active_days: new Set(runs.map(({ day }) => day)).size,
        publishers: counts.size,
      };
      return [id, facts];
    }),
  );
}
