import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { Registry } from 'prom-client';
import { type Auth, createAuth } from '#accounts/auth/auth.ts';
import type { SignedIn } from '#accounts/auth/signed-in.ts';
import { accountsWing } from '#accounts/contract.ts';
import { openWays } from '#accounts/open-ways.ts';
import type { TierName } from '#accounts/quotas/tiers.ts';
import { changeUser, createUser, type User } from '#accounts/users/users.ts';
import { OPERATIONS } from '#app/contract.ts';
import { SETTINGS } from '#app/settings.ts';
import { isoTime } from '#core/clock/clock.ts';
import { readConfig } from '#core/config/config.ts';
import { type KeyProvider, openSecretKeys } from '#core/crypto/secret-keys.ts';
import type { Database } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';
import { bindAll } from '#core/http/bind.ts';
import { inProcess } from '#core/http/in-process.ts';
import { createServer } from '#core/http/server.ts';
import { type JobTable, jobTable } from '#core/jobs/jobs.ts';
import type { JobKind } from '#core/jobs/worker.ts';
import { createLog } from '#core/log.ts';
import type { Mail } from '#core/mail/message.ts';
import { createOutbound } from '#core/outbound/outbound.ts';
import { ROOMY } from './storage.ts';

/** The operations of auth over HTTP behind the real guard, on a clock that the test moves. */
export interface AuthStand {
  auth: Auth;
  clock: { ms: number; now(): number };
  /** Sends the letters that are due, and answers them. */
  deliver(): Promise<Mail[]>;
  signUp(newAccount?: NewAccount): Promise<{ user: User; token: string }>;
  signIn(user: User, newAccount?: NewAccount): Promise<SignedIn>;
  /** As it comes, with what a browser or a client sends. */
  send(path: string, init?: RequestInit): Promise<Response>;
  ask<T = Record<string, unknown>>(method: string, path: string, asked?: Asking): Promise<Answer<T>>;
}
interface NewAccount {
  tier?: TierName;
  method?: 'wallet' | 'email' | 'google';
  wallet?: string;
  user_agent?: string;
}
interface Asking {
  token?: string;
  headers?: Record<string, string>;
  body?: unknown;
}
interface Answer<T> {
  status: number;
  body: T & { code?: string; reason?: string; detail?: string };
  headers: Headers;
}

export const STAND_URL = 'https://capstan.example';

/** A hundredth of what a service takes: hundreds of passwords are hashed here. */
export const PASSWORD_COST = { memory: 256, passes: 1, parallelism: 1 };

export const newSecretKeys = (): Promise<KeyProvider> =>
  openSecretKeys({ written: randomBytes(32).toString('base64'), may_make: false, data_dir: tmpdir() });

export async function authStand(database: Database, keys?: KeyProvider, log = createLog('silent')): Promise<AuthStand> {
  const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z'), now: () => clock.ms };
  const jobs = jobTable(database, clock);
  const config = readConfig(SETTINGS, {});
  const mails: Mail[] = [];
  const auth = createAuth({
    database,
    clock,
    log,
    jobs,
    keys: keys ?? (await newSecretKeys()),
    data_dir: tmpdir(),
    base_url: STAND_URL,
    production: true,
    config: config.auth,
    limits: config.limits,
    operations: OPERATIONS,
    metrics: { registry: new Registry() },
    storage: ROOMY,
    outbound: createOutbound({ allow_loopback: true, user_agent: 'test' }),
    password_cost: PASSWORD_COST,
    sendMail: async (mail) => {
      mails.push(mail);
    },
  });
  const { users: _users, apiKeys: _api_keys, ...ways } = accountsWing;
  const operations = bindAll(ways, openWays(auth.deps));
  const gates = {
    guard: auth.guard,
    limiter: { has: () => true, take: async () => ({}) },
    replays: { once: (_request: unknown, run: () => Promise<never>) => run() },
  };
  const server = createServer({ log, operations, gates: gates as never, onAnswer: () => {} });
  const signIn: AuthStand['signIn'] = (user, { method = 'email', wallet, user_agent = 'test' } = {}) =>
    auth.startSignIn({ user, method, wallet: wallet ?? null, user_agent, stillLeads: async () => true });
  return {
    auth,
    clock,
    deliver: async () => {
      await workOff(jobs, auth.kinds);
      return mails.splice(0);
    },
    signIn,
    send: (path, init = {}) =>
      inProcess(server.fastify, path.replace(STAND_URL, ''), {
        method: init.method ?? 'GET',
        headers: Object.fromEntries(new Request(STAND_URL, init).headers),
        ...defined({ body: init.body === undefined || init.body === null ? undefined : `${init.body}` }),
      }),
    signUp: async (newAccount = {}) => {
      const { db } = database;
      const made = await createUser(db, 'Ada', isoTime(clock.ms));
      const user = (await changeUser(db, made.id, { tier: newAccount.tier ?? 'free' }, isoTime(clock.ms))) as User;
      return { user, token: (await signIn(user, newAccount)).access_token };
    },
    ask: async (method, path, { token, headers = {}, body } = {}) => {
      const bearer = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const json = body === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await inProcess(server.fastify, path, {
        method,
        headers: { ...bearer, ...json, ...headers },
        ...defined({ body: body === undefined ? undefined : JSON.stringify(body) }),
      });
      return { status: answer.status, body: (await answer.json()) as never, headers: answer.headers };
    },
  };
}

/** Every job that is due, one after the other. */
async function workOff(jobs: JobTable, kinds: Record<string, JobKind>): Promise<void> {
  const { signal } = new AbortController();
  for (;;) {
    const job = await jobs.claim(Object.keys(kinds), 'test', 60_000);
    if (job === null) return;
    await kinds[job.kind]?.handler({ job, signal, fence: (trx) => jobs.fence(trx, job) });
    await jobs.complete(job, null);
  }
}
