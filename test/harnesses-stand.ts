import assert from 'node:assert/strict';
import { text as textOf } from 'node:stream/consumers';
import type { TSchema } from 'typebox';
import { createUser, type User } from '#accounts/users/users.ts';
import type { Database } from '#core/db/open.ts';
import { defined } from '#core/defined.ts';
import type { Contract, Handler, OperationBase } from '#core/http/operation.ts';
import { compileSchema } from '#core/http/validate.ts';
import { Problem } from '#core/problem/problem.ts';
import { contextContract } from '#runtime/context/contract.ts';
import { contextRoutes } from '#runtime/context/routes.ts';
import { harnessesContract } from '#runtime/harnesses/contract.ts';
import { HARNESS_MD_EXAMPLE } from '#runtime/harnesses/examples.ts';
import { harnessesRoutes } from '#runtime/harnesses/routes.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import { memoryContract } from '#runtime/memory/contract.ts';
import { memoryRoutes } from '#runtime/memory/routes.ts';
import { ROOMY } from './storage.ts';
import { callerOf } from './tool-calls.ts';

/** The operations of harnesses without a server around them: what is asked and answered is held to the contract. */

interface Asked {
  id?: string;
  path?: string;
  query?: Record<string, unknown>;
  body?: unknown;
}
// biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
type Said = any;

interface HarnessesStand {
  deps: HarnessesDeps;
  clock: { ms: number; now(): number };
  newUser(): Promise<User>;
  ask(as: User, name: OperationName, asked?: Asked): Promise<{ status: number; body: Said }>;
  /** `409 harnesses.conflict`, with the first place that it names. */
  refusal(as: User, name: OperationName, asked?: Asked): Promise<string>;
  /** A harness named release-notes. */
  newHarness(as: User): Promise<Said>;
}

const CONTRACTS = { harnesses: harnessesContract, memory: memoryContract, context: contextContract };
/** `memory.write` */
type OperationName = {
  [Name in keyof typeof CONTRACTS]: `${Name}.${Extract<keyof (typeof CONTRACTS)[Name], string>}`;
}[keyof typeof CONTRACTS];

function problemsOf(name: OperationName): readonly string[] {
  const [resource, verb] = name.split('.') as [keyof typeof CONTRACTS, string];
  return (CONTRACTS[resource] as Contract)[verb]?.problems ?? [];
}

export const HARNESS_FILE = { path: 'HARNESS.md', content: HARNESS_MD_EXAMPLE };
const LIMITS = { per_user: 5, memories_per_user: 200, bytes_per_user: 1_000_000 };

export function harnessesStand({ db }: Database, limits: Partial<HarnessesDeps['limits']> = {}): HarnessesStand {
  const clock = { ms: Date.parse('2026-03-01T00:00:00.000Z'), now: () => clock.ms };
  const deps: HarnessesDeps = { db, clock, storage: ROOMY, limits: { ...LIMITS, ...limits } };
  const routes = { harnesses: harnessesRoutes(deps), memory: memoryRoutes(deps), context: contextRoutes(deps) };
  const ask: HarnessesStand['ask'] = async (as, name, { id, path, query, body } = {}) => {
    const [resource, verb] = name.split('.') as [keyof typeof CONTRACTS, string];
    const operation = (CONTRACTS[resource] as Contract)[verb] as OperationBase;
    const params = { ...defined({ id: id, path: path }) };
    const asked = { limit: 50, offset: 0, ...query };
    for (const [schema, value] of [
      [operation.params, params],
      [operation.query, query === undefined ? undefined : asked],
      [operation.body, body],
    ] as const)
      if (schema !== undefined && value !== undefined) assert.deepEqual(faults(schema, value), [], name);
    const raw_path = `/api/harnesses${id === undefined ? '' : `/${id}`}`;
    const reply = await ((routes[resource] as object as Record<string, Handler>)[verb] as Handler)({
      params,
      query: asked,
      body,
      raw_path,
      caller: callerOf(as.id),
    } as never);
    const text = typeof reply.body === 'object' ? await textOf(reply.body as AsyncIterable<string>) : reply.body;
    const { status = 200 } = reply;
    const said = JSON.parse(text as string);
    const schema = operation.answers[status]?.content['application/json']?.schema as TSchema;
    assert.deepEqual(faults(schema, said), [], `the answer of ${name}`);
    return { status, body: said };
  };
  return {
    deps,
    clock,
    ask,
    newUser: () => createUser(db, 'Ada', new Date(clock.ms).toISOString()),
    refusal: async (as, name, asked) => {
      const error = await ask(as, name, asked).then(
        (entry) => assert.fail(`${name} was answered: ${JSON.stringify(entry.body)}`),
        (error) => error,
      );
      if (!(error instanceof Problem)) throw error;
      assert.ok(problemsOf(name).includes(error.code), `${name} ${error.code}`);
      return [
        error.status,
        error.code,
        ...(error.errors ?? []).slice(0, 1).map((fieldError) => fieldError.pointer),
      ].join(' ');
    },
    newHarness: async (as) => (await ask(as, 'harnesses.create', { body: { files: [HARNESS_FILE] } })).body,
  };
}

const compiled = new Map<TSchema, ReturnType<typeof compileSchema>>();

function faults(schema: TSchema, value: unknown): unknown[] {
  let check = compiled.get(schema);
  if (check === undefined) {
    check = compileSchema(schema);
    compiled.set(schema, check);
  }
  return check(value);
}
