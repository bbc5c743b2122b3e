import { parseArgs } from 'node:util';
import type { Kysely } from 'kysely';
import { deleteApiKeys } from '#accounts/api-keys/api-keys.ts';
import { TIER_NAMES, tierNamed } from '#accounts/quotas/tiers.ts';
import type { AuditAction } from '#core/audit/actions.ts';
import { OPERATOR_CLI, recordAudit } from '#core/audit/audit.ts';
import { type Clock, isoTime } from '#core/clock/clock.ts';
import type { CommandIo } from '#core/command-io.ts';
import type { Schema } from '#core/db/schema.ts';
import { coreProblem } from '#core/errors.ts';
import { Problem } from '#core/problem/problem.ts';
import { findUserNamed, type NameForms } from './find-user-named.ts';
import { operatorNotSuspended } from './suspension.ts';
import { changeUser, lockUser, noSuchUser, type User } from './users.ts';
import { printable, renderTable, usersMatching } from './users-table.ts';

export interface UsersCommandDeps {
  db: Kysely<Schema>;
  clock: Clock;
  forms: NameForms;
  /** Revokes every session of a user. Returns how many were active. */
  endSignIns(trx: Kysely<Schema>, userId: string, now: string): Promise<number>;
}

export const USERS_USAGE = `usage: capstand users <command>

  list [--search TEXT]       list accounts, optionally filtered by id, name, email or wallet
  set-tier USER TIER         set the tier: free, casual or pro (dev is an alias of pro)
  revoke USER                end all sessions and delete all API keys
  suspend USER REASON        refuse everything but reading the reason, exporting and deleting
  resume USER                end the suspension
  grant-operator USER        grant the operator role
  revoke-operator USER       revoke the operator role

USER is an id, email address or wallet address. Changes are recorded in the audit log (capstand audit).
Exit codes: 0 success; 1 failure; 2 usage error; 3 user not found.
`;

type Io = Pick<CommandIo, 'stdout' | 'stderr'>;
type Change = (deps: UsersCommandDeps, user: User, value: string) => Promise<string>;

const CHANGES: Record<string, { words: number; change: Change }> = {
  'set-tier': { words: 2, change: setTier },
  revoke: { words: 1, change: revoke },
  suspend: { words: 2, change: suspend },
  resume: { words: 1, change: resume },
  'grant-operator': { words: 1, change: (deps, user) => setOperator(deps, user, 1) },
  'revoke-operator': { words: 1, change: (deps, user) => setOperator(deps, user, 0) },
};

/** `capstand users`. Returns the exit code. */
export async function usersCommand([what = '', ...argv]: string[], io: Io, deps: UsersCommandDeps): Promise<number> {
  if (what === 'list') return list(argv, io, deps);
  const { positionals } = parseArgs({ args: argv, allowPositionals: true, options: {} });
  const asked = Object.hasOwn(CHANGES, what) ? CHANGES[what] : undefined;
  const [name = '', value = ''] = positionals;
  if (asked === undefined || positionals.length !== asked.words) {
    io.stderr.write(USERS_USAGE);
    return 2;
  }
  try {
    const user = await findUserNamed(deps.db, name, deps.forms);
    io.stdout.write(`${await asked.change(deps, user, value)}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof Problem) || error.kind !== 'not_found') throw error;
    io.stderr.write(`capstand users: ${error.message}\n`);
    return 3;
  }
}

async function list(argv: string[], io: Io, { db, clock }: UsersCommandDeps): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { search: { type: 'string', default: '' } } });
  const rows = await usersMatching(db, values.search);
  const look = { actor: OPERATOR_CLI, action: 'users.list', target: 'all', detail: { shown: rows.length } } as const;
  await recordAudit(db, look, isoTime(clock.now()));
  if (rows.length > 0) io.stdout.write(renderTable(rows));
  else io.stderr.write(values.search === '' ? 'No users.\n' : 'No matching users.\n');
  return 0;
}

async function setTier(deps: UsersCommandDeps, user: User, name: string): Promise<string> {
  const tier = tierNamed(name);
  if (tier === null)
    throw coreProblem('command.invalid', `Unknown tier: ${name}. Supported tiers: ${TIER_NAMES.join(', ')}.`, {
      reason: 'tier',
    });
  if (tier === user.tier) return `${label(user)} already has the tier ${tier}.`;
  await audited(deps, user, 'users.set_tier', async (trx, now) => {
    await changeUser(trx, user.id, { tier }, now);
    return { from: user.tier, to: tier };
  });
  return `Tier of ${label(user)} set to ${tier} (was ${user.tier}).`;
}

async function setOperator(deps: UsersCommandDeps, user: User, is_operator: 0 | 1): Promise<string> {
  const now = is_operator === 1 ? 'an operator' : 'not an operator';
  if (user.is_operator === is_operator) return `${label(user)} is ${now}. Nothing changed.`;
  const action = is_operator === 1 ? 'users.grant_operator' : 'users.revoke_operator';
  await audited(deps, user, action, async (trx, at) => {
    await changeUser(trx, user.id, { is_operator }, at);
    return {};
  });
  return is_operator === 1 ? `${label(user)} is now an operator.` : `${label(user)} is no longer an operator.`;
}

async function suspend(deps: UsersCommandDeps, user: User, reason: string): Promise<string> {
  if (reason.trim() === '')
    throw coreProblem('command.invalid', 'Say why: the owner reads the reason.', { reason: 'user' });
  if (user.is_operator === 1) throw operatorNotSuspended();
  if (user.suspended_at !== null) return `${label(user)} is suspended already. Nothing changed.`;
  await audited(
    deps,
    user,
    'users.suspend',
    async (trx, now) => {
      await changeUser(trx, user.id, { suspended_at: now, suspended_reason: reason }, now);
      return {};
    },
    reason,
  );
  return `${label(user)} is now suspended.`;
}

async function resume(deps: UsersCommandDeps, user: User): Promise<string> {
  if (user.suspended_at === null) return `${label(user)} is not suspended. Nothing changed.`;
  await audited(deps, user, 'users.resume', async (trx, now) => {
    await changeUser(trx, user.id, { suspended_at: null, suspended_reason: '' }, now);
    return {};
  });
  return `${label(user)} is no longer suspended.`;
}

async function revoke(deps: UsersCommandDeps, user: User): Promise<string> {
  let said = '';
  await audited(deps, user, 'users.revoke', async (trx, now) => {
    const sign_ins = await deps.endSignIns(trx, user.id, now);
    const api_keys = await deleteApiKeys(trx, user.id);
    said = `${label(user)}: ${sign_ins} sessions ended, ${api_keys} API keys deleted.`;
    return { sign_ins, api_keys };
  });
  return said;
}

/** Writes the change and its audit entry in one transaction. */
const audited = (
  { db, clock }: UsersCommandDeps,
  { id }: User,
  action: AuditAction,
  change: (trx: Kysely<Schema>, now: string) => Promise<Record<string, unknown>>,
  reason?: string,
): Promise<void> =>
  db.transaction().execute(async (trx) => {
    const now = isoTime(clock.now());
    // The change first locks what precedes the account, such as unopened links, and then the account.
    const detail = await change(trx, now);
    if (!(await lockUser(trx, id))) throw noSuchUser();
    await recordAudit(trx, { actor: OPERATOR_CLI, action, target: id, detail, reason }, now);
  });

const label = ({ id, display_name }: User): string => `${id} (${printable(display_name)})`;
