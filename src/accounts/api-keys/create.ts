import { accountsProblem } from '#accounts/errors.ts';
import type { UsersDeps } from '#accounts/users/deps.ts';
import { lockUser, noSuchUser } from '#accounts/users/users.ts';
import { recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { Caller, Scope } from '#core/http/caller.ts';
import { type Handler, json } from '#core/http/operation.ts';
import type { Problem } from '#core/problem/problem.ts';
import { countApiKeys, createApiKey as insertApiKey } from './api-keys.ts';
import type { apiKeysContract } from './contract.ts';

const MAX_KEYS = 50;

/** POST /api/users/{id}/api-keys */
export const createApiKey =
  ({ database, clock }: UsersDeps): Handler<typeof apiKeysContract.create> =>
  async ({ params: { id }, body, caller, origin }) => {
    refuseWiderScopes(body.scopes, caller);
    const expires_at = readExpiry(body.expires_at ?? null, clock);
    const created = await database.db.transaction().execute(async (trx) => {
      if (!(await lockUser(trx, id))) throw noSuchUser();
      if ((await countApiKeys(trx, id)) >= MAX_KEYS) throw tooMany();
      const { name, scopes } = body;
      const now = isoTime(clock.now());
      const made = await insertApiKey(trx, { user_id: id, name, scopes, expires_at }, now);
      const detail = { scopes, expires_at };
      await recordAudit(trx, { actor: id, origin, action: 'users.create_key', target: made.id, detail }, now);
      return made;
    });
    return json(created, { status: 201 });
  };

/** A key never has more scopes than the credential that created it. */
function refuseWiderScopes(scopes: readonly Scope[], caller: Caller): void {
  const missing = scopes.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length === 0) return;
  const detail = `Cannot grant scopes that you do not have: ${missing.join(', ')}. Your scopes: ${caller.scopes.join(', ')}.`;
  throw accountsProblem('auth.insufficient_scope', detail, { reason: 'requested' });
}

function readExpiry(text: string | null, clock: Clock): string | null {
  if (text === null) return null;
  const ms = Date.parse(text);
  if (ms > clock.now()) return isoTime(ms);
  const detail = `expires_at must be in the future; the current time is ${isoTime(clock.now())}.`;
  throw accountsProblem('users.api_key_invalid', detail, {
    errors: [{ pointer: '/expires_at', detail: 'must be in the future' }],
  });
}

const tooMany = (): Problem =>
  accountsProblem('users.limit_exceeded', `API key limit reached (${MAX_KEYS}). Delete one first.`, {
    reason: 'api_keys',
  });
