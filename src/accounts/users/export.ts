import type { Kysely } from 'kysely';
import { listApiKeys } from '#accounts/api-keys/api-keys.ts';
import { listQuotaDays } from '#accounts/quotas/quota.ts';
import { type AuditEntry, listAudit } from '#core/audit/audit.ts';
import { isoTime } from '#core/clock/clock.ts';
import type { Schema } from '#core/db/schema.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { usersContract } from './contract.ts';
import type { UsersDeps } from './deps.ts';
import { readAccount } from './holding.ts';
import { readWholeProfile } from './read-profile.ts';
import { findUser, noSuchUser } from './users.ts';

/** GET /api/users/{id}/export */
export const exportUser =
  (deps: UsersDeps): Handler<typeof usersContract.export> =>
  async ({ params: { id } }) => {
    const { db } = deps.database;
    const user = await findUser(db, id);
    if (user === undefined) throw noSuchUser();
    const account = await readAccount(db, id);
    const held: Record<string, unknown> = {};
    for (const { name, read } of deps.holdings) held[name] = await read(db, account);
    const own = {
      exported_at: isoTime(deps.clock.now()),
      profile: await readWholeProfile(deps, user),
      api_keys: await listApiKeys(db, id),
      quota_days: await listQuotaDays(db, id),
      audit: await auditOf(db, id),
    };
    const headers = { 'content-disposition': `attachment; filename="capstan-${id}.json"` };
    return json({ ...own, ...held }, { headers });
  };

type Shown = Omit<AuditEntry, 'actor' | 'hash'> & { actor: 'self' | 'operator' };

/** Audit entries by and about the user. An operator's id is not the user's data. */
async function auditOf(db: Kysely<Schema>, user_id: string): Promise<Shown[]> {
  const shown: Shown[] = [];
  for await (const { hash: _, ...entry } of listAudit(db, { user_id }))
    if (entry.actor === user_id) shown.push({ ...entry, actor: 'self' });
    else shown.push({ ...entry, actor: 'operator', request_id: null, address: null });
  return shown;
}
