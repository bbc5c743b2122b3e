import { createUser, type User } from '#accounts/users/users.ts';
import { isoTime } from '#core/clock/clock.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import type { Database } from '#core/db/open.ts';
import { bind } from '#core/http/bind.ts';
import { inProcess } from '#core/http/in-process.ts';
import { createServer } from '#core/http/server.ts';
import { createLog } from '#core/log.ts';
import { rigsContract } from '#runtime/rigs/contract.ts';
import type { RigsDeps } from '#runtime/rigs/deps.ts';
import type { Gathered } from '#runtime/rigs/rig-parts.ts';
import { rigsRoutes } from '#runtime/rigs/routes.ts';
import { openGates } from './open-gates.ts';
import { ROOMY } from './storage.ts';

/** Rigs over HTTP; what their references stand for is what the test says. */

export interface RigsStand extends AsyncDisposable {
  deps: RigsDeps;
  /** What is found at the next look. */
  now: Gathered;
  newUser(): Promise<User>;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  ask(as: User, method: string, path: string, body?: unknown): Promise<{ status: number; body: any }>;
}

export const STAND_YAML = `apiVersion: registry/v1
kind: Rig
metadata: { name: sum, version: "1.0.0", description: Adds. }
spec:
  skills: [{ ref: skill/add, digest: "" }]
  parameters: { type: object, properties: { a: { type: integer, default: 1 } }, required: [a] }
  prompt: Add \${a}.
  checks: [{ name: adds, input: {}, expect: { exit_code: 0 } }]
`;

const SKILL = {
  ref: 'skill/add',
  name: 'add',
  version: '1.0.0',
  execution_class: 'scripted',
  digest: `sha256:${'aa'.repeat(32)}`,
  files: [{ path: 'SKILL.md', sha256: 'bb'.repeat(32) }],
};

export const standParts = (): Gathered => ({
  parts: {
    harness: null,
    skills: [{ ...SKILL }],
    model: { id: 'builtin/planner' },
    servers: [
      {
        name: 'tides',
        ref: 'listing/glama/tides',
        connection: '',
        digest: 'sha256:00',
        tools: [{ name: 'high', schema_hash: 'sha256:01' }],
      },
    ],
  },
  faults: [],
});

export async function rigsStand(database: Database, rigs_per_user = 3): Promise<RigsStand> {
  const { db } = database;
  const clock = { now: () => Date.now() };
  const deps: RigsDeps = {
    db,
    clock,
    rigs_per_user,
    checking: new Set<string>(),
    storage: ROOMY,
    gather: async () => stand.now,
    runCheck: async (_of, { name }) => ({ name, passed: name !== 'fails', detail: '', trace_id: null }),
  };
  const routes = rigsRoutes(deps);
  const operations = bind(rigsContract, routes);
  const gates = openGates(database);
  const log = createLog('silent');
  const server = createServer({ log, operations, gates, explain: explainDatabaseFailure, onAnswer: () => {} });
  const stand: RigsStand = {
    deps,
    now: standParts(),
    newUser: () => createUser(db, 'Ada', isoTime(clock.now())),
    ask: async (as, method, path, body) => {
      const headers = { authorization: `Bearer ${as.id}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await inProcess(server.fastify, path, { method, headers, ...sent });
      return { status: answer.status, body: await answer.json() };
    },
    [Symbol.asyncDispose]: () => server.close(0),
  };
  return stand;
}
