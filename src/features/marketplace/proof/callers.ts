import type { Connection } from '../../../platform/db/connection.ts';
import type { TierName } from '../../users/tiers.ts';
import { marks } from '../identity/capabilities.ts';
import type { CallerFacts } from './caller-weight.ts';
import type { DayOfCaller } from './runs.ts';

/** What is known of the accounts that ran something. */

export interface Account {
  id: string;
  tier: string;
  created_at: string;
}

const PAGE = 500;

export async function accountsOf(db: Pick<Connection, 'query'>, ids: readonly string[]): Promise<Account[]> {
  const found: Account[] = [];
  for (let at = 0; at < ids.length; at += PAGE) {
    const some = ids.slice(at, at + PAGE);
    const sql = `SELECT id, tier, created_at FROM users WHERE id IN (${marks(some)})`;
    for (const it of await db.query<Account>(sql, some)) found.push(it);
  }
  return found;
}

/** By account. `publishers` says whose each subject is. Pure. */
export function factsOf(
  accounts: readonly Account[],
  days: readonly DayOfCaller[],
  publishers: ReadonlyMap<string, string>,
): Map<string, CallerFacts> {
  const of = Map.groupBy(days, (it) => it.user_id);
  return new Map(
    accounts.map(({ id, tier, created_at }) => {
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
        ...{ created_ms: Date.parse(created_at), tier: tier as TierName, favourite },
        share: runs.length === 0 ? 1 : most / runs.length,
        ...{ active_days: new Set(runs.map(({ day }) => day)).size, publishers: counts.size },
      };
      return [id, facts];
    }),
  );
}
