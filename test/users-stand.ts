import { apiKeysContract } from '#accounts/api-keys/contract.ts';
import { apiKeysRoutes } from '#accounts/api-keys/routes.ts';
import { usersContract } from '#accounts/users/contract.ts';
import type { UsersDeps } from '#accounts/users/deps.ts';
import { usersRoutes } from '#accounts/users/routes.ts';
import { createUser, type User } from '#accounts/users/users.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import { bind } from '#core/http/bind.ts';
import { inProcess } from '#core/http/in-process.ts';
import { createServer } from '#core/http/server.ts';
import { createLog } from '#core/log.ts';
import type { TestDatabase } from './databases.ts';
import { openGates } from './open-gates.ts';
import { ROOMY } from './storage.ts';

/** The operations of users over HTTP, behind a guard that takes a user's id for a token. */
interface UsersStand {
  clock: { ms: number; now(): number };
  newUser(displayName?: string): Promise<User>;
  ask<T = Record<string, unknown>>(method: string, path: string, asked?: Asking): Promise<Answer<T>>;
}
interface Asking {
  as: User;
  body?: unknown;
}
interface Answer<T> {
  status: number;
  body: T & { code?: string };
  headers: Headers;
}

export const STAND_TIME = '2026-03-01T00:00:00.000Z';

export function usersStand(database: TestDatabase, deps: Partial<UsersDeps> = {}): UsersStand {
  const clock = { ms: Date.parse(STAND_TIME), now: () => clock.ms };
  const log = createLog('silent');
  const all: UsersDeps = {
    database,
    clock,
    log,
    holdings: [],
    findPublisher: async () => null,
    storage: ROOMY,
    canonicalAddress: (_type, text) => text.toLowerCase(),
    ...deps,
  };
  const operations = [...bind(usersContract, usersRoutes(all)), ...bind(apiKeysContract, apiKeysRoutes(all))];
  const gates = openGates(database);
  const server = createServer({ log, operations, gates, explain: explainDatabaseFailure, onAnswer: () => {} });
  return {
    clock,
    newUser: (displayName = 'Ada') => createUser(database.db, displayName, STAND_TIME),
    ask: async (method, path, asked) => {
      const headers: Record<string, string> = asked === undefined ? {} : { authorization: `Bearer ${asked.as.id}` };
      const body = asked?.body === undefined ? {} : { body: JSON.stringify(asked.body) };
      if (asked?.body !== undefined) headers['content-type'] = 'application/json';
      const answer = await inProcess(server.fastify, path, { method, headers, ...body });
      return { status: answer.status, body: (await answer.json()) as never, headers: answer.headers };
    },
  };
}
