import { recordAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import { accountRow } from './account-row.ts';
import type { operatingContract } from './contract-operating.ts';
import type { UsersDeps } from './deps.ts';
import { ownersOfAddress } from './identities.ts';
import { listUsers } from './users.ts';

/** GET /api/operator/users */
export const listAccounts =
  ({ database: { db }, clock }: Pick<UsersDeps, 'database' | 'clock'>): Handler<typeof operatingContract.list> =>
  async ({ query: { search, status, limit, offset }, caller, origin, raw_path }) => {
    const owners = search === undefined ? [] : await ownersOfAddress(db, search.trim().toLowerCase());
    const { items, total_count } = await listUsers(db, { search, owners, status }, { limit, offset });
    const look = { actor: caller.user_id, origin, action: 'users.list', target: 'all' } as const;
    // Written before the accounts are shown, so that there is no view without its entry.
    await recordAudit(db, { ...look, detail: { shown: items.length } }, isoTime(clock.now()));
    const page = { limit, offset };
    return jsonPage({ items: items.map(accountRow), total_count }, page, raw_path, { search, status });
  };
