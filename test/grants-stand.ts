import { createSecretKey, randomBytes } from 'node:crypto';
import { createUser, type User } from '#accounts/users/users.ts';
import { nextSeq } from '#catalog/changes/changes.ts';
import { saveListings } from '#catalog/items/items.ts';
import { isoTime, systemClock } from '#core/clock/clock.ts';
import { keyProvider } from '#core/crypto/secret-keys.ts';
import { explainDatabaseFailure } from '#core/db/failure.ts';
import type { Database } from '#core/db/open.ts';
import { bind } from '#core/http/bind.ts';
import { inProcess } from '#core/http/in-process.ts';
import { createServer } from '#core/http/server.ts';
import { createLog } from '#core/log.ts';
import type { StorageGate } from '#core/storage/gate.ts';
import { skillOfFiles } from '#runtime/bundles/skill-of-files.ts';
import { grantsContract } from '#runtime/grants/contract.ts';
import { openGrants } from '#runtime/grants/open-grants.ts';
import { grantsRoutes } from '#runtime/grants/routes.ts';
import { openNativeScripts } from '#runtime/native/open-native-scripts.ts';
import type { Runtime } from '#runtime/packaged/runtime.ts';
import type { ResolveCapability } from '#runtime/runs/capability.ts';
import { capabilityUnknown } from '#runtime/runs/errors.ts';
import { skillCapability } from '#runtime/runs/skill-capability.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import { listing } from './listings.ts';
import { openGates } from './open-gates.ts';
import { ROOMY } from './storage.ts';

/** The operations on the grants of one skill, which needs a package, a value and a secret. */

export const GRANTS = '/api/agents/skills/clawhub/ana%2Ftides/grants';
export const TIDES = 'clawhub/ana/tides';
/** The same skill, published on this service as `ana/tides`. */
export const PUBLISHED = 'published-tides';

const FILES = {
  'SKILL.md':
    '---\nname: tides\ndescription: Tides.\nmetadata: {"openclaw":{"requires":{"env":["TIDES_API_KEY","REGION"]},"network":["https://api.declared.example/v1"]}}\n---\nRun it.\n',
  'scripts/run.js': 'require("zod")\n',
};

interface Answer {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  body: any;
  text: string;
}

export async function grantsStand(database: Database, storage: StorageGate = ROOMY) {
  const { db } = database;
  const clock = systemClock;
  const keys = keyProvider([createSecretKey(randomBytes(32))]);
  const scripts = openNativeScripts({
    policy: 'ask',
    openRuntime: async () => ({}) as Runtime,
    inPlace: (_share, _signal, work) => work(),
  });
  const grants = openGrants({ db, clock, storage, keys: async () => keys });
  const contents = new Map(Object.entries(FILES).map(([path, text]) => [path, Buffer.from(text)]));
  const skill = skillOfFiles(contents, { name: 'tides', description: 'Tides.', version: '1.0.0', license: 'MIT' });
  const deps = { sandbox: {} as Sandbox, prompt: null, native: scripts, grants };
  const resolve: ResolveCapability = async ({ kind = 'listing', ref }, caller, given = {}) => {
    if (kind === 'capability' && ref === 'skill/echo')
      return skillCapability({ kind: 'skill', ref: 'echo' }, skill, deps);
    const known = kind === 'capability' ? ['ana/tides', PUBLISHED].includes(ref) : ref === TIDES;
    if (!known) throw capabilityUnknown('There is no listing with this id.');
    const place = { kind, ref: kind === 'capability' ? PUBLISHED : ref };
    return skillCapability(place, skill, deps, caller, given.given);
  };
  const record = listing('clawhub', 'ana/tides', { listing_type: 'skill', execution_class: 'scripted' });
  await db
    .transaction()
    .execute((trx) =>
      saveListings(trx, 'clawhub', [record], { run: 'r', now: '2026-01-01T00:00:00.000Z', seq: () => nextSeq(trx) }),
    );
  await publish(database);
  const server = createServer({
    log: createLog('silent'),
    operations: bind(grantsContract, grantsRoutes({ db, clock, keys, storage, runs: { resolve }, scripts })),
    gates: openGates(database),
    explain: explainDatabaseFailure,
    onAnswer: () => {},
  });
  return {
    db,
    grants,
    skill,
    newUser: (): Promise<User> => createUser(db, 'Ada', isoTime(clock.now())),
    ask: async (as: User, method: string, path: string, body?: unknown): Promise<Answer> => {
      const headers = { authorization: `Bearer ${as.id}`, 'content-type': 'application/json' };
      const sent = body === undefined ? {} : { body: JSON.stringify(body) };
      const answer = await inProcess(server.fastify, path, { method, headers, ...sent });
      const text = await answer.text();
      return { status: answer.status, body: JSON.parse(text), text };
    },
    [Symbol.asyncDispose]: () => server.close(0),
  };
}

/** A row for the locks of the published skill to refer to. */
async function publish({ db }: Database): Promise<void> {
  const created_at = '2026-01-01T00:00:00.000Z';
  await db
    .insertInto('publishers')
    .values({ id: 'ana-1', user_id: null, name: 'ana', look: 'ana', closed_at: null, created_at })
    .execute();
  await db
    .insertInto('published_listings')
    .values({
      id: PUBLISHED,
      publisher_id: 'ana-1',
      name: 'tides',
      look: 'tides',
      listing_type: 'skill',
      status: 'live',
      status_reason: '',
      seq: 0,
      created_at,
      updated_at: created_at,
    })
    .execute();
}
