import { changeUser } from '#accounts/users/users.ts';
import { createApp } from '#app/app.ts';
import { SETTINGS } from '#app/settings.ts';
import { capabilityIdOf } from '#catalog/identity/capabilities.ts';
import type { Listing } from '#catalog/items/item.ts';
import { targetText } from '#catalog/probes/probe-target.ts';
import { nameTarget, targetId } from '#catalog/probes/targets.ts';
import { readConfig } from '#core/config/config.ts';
import { connectionOver } from '#core/db/connection-over.ts';
import { defined } from '#core/defined.ts';
import { createLog } from '#core/log.ts';
import { carryOver } from '#marketplace/moderation/carry-over.ts';
import { type Account, accountsOf, WORLD_URL } from './accounts.ts';
import { startMcpFake, textResult } from './fakes/mcp-server.ts';
import { linkNow, saveAll } from './linking.ts';
import { listing, remote } from './listings.ts';
import { noFence } from './moderation-stand.ts';
import { skillFiles } from './publishing-stand.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/**
 * A service with things of one author, of each kind with a separate endpoint: they are found by `zzstealer`,
 * have `hidden-thing` in their id, and `zzpayload` in what only who is given them sees. And what others have made of them.
 */

export type Place = Pick<Listing, 'provider_id' | 'external_id'>;
export type Stand = Awaited<ReturnType<typeof takedownStand>>;

export const SERVER: Place = { provider_id: 'mcp-registry', external_id: 'io.github.eve/hidden-thing' };
export const SKILL: Place = { provider_id: 'skills-sh', external_id: 'eve/kit/hidden-thing' };
const PLUGIN: Place = { provider_id: 'claude-plugins', external_id: 'hidden-thing@eve-shop' };
export const AGAIN: Place = { provider_id: 'smithery', external_id: '@mallory/hidden-thing' };

const WORDS = {
  name: 'zzstealer',
  description: 'zzstealer zzpayload',
  external_updated_at: '2026-02-01T00:00:00.000Z',
};

export async function takedownStand() {
  const clock = { ms: 0, now: () => Date.now() + clock.ms };
  const world = await openWorld({}, 'quiet', clock);
  const fake = await startMcpFake([{ name: 'echo', description: 'zzpayload', call: () => textResult('zzpayload') }]);
  const { database, catalog } = world;
  await catalog.ready;
  const { db, engine } = database;
  const accounts = await accountsOf(world, clock);
  const [author, user, operator] = [await accounts.signUp(), await accounts.signUp(), await accounts.signUp()];
  await changeUser(db, operator.user.id, { is_operator: 1 }, new Date().toISOString());

  /** Status and body, as one text. */
  const ask = async (path: string, init: { as?: Account; method?: string; body?: object; headers?: object } = {}) => {
    const { as, body, method = body === undefined ? 'GET' : 'POST', headers = {} } = init;
    const sent = {
      ...defined({
        authorization: as === undefined ? undefined : `Bearer ${as.token}`,
        'content-type': body === undefined ? undefined : 'application/json',
      }),
      ...headers,
    };
    const answer = await world.fetch(path, {
      method,
      headers: sent,
      ...defined({ body: body ? JSON.stringify(body) : undefined }),
    });
    return `${answer.status} ${await answer.text()}`;
  };
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  const made = async (...asked: Parameters<typeof ask>): Promise<any> => {
    const text = await ask(...asked);
    if (!text.startsWith('20')) throw new Error(`${asked[0]}: ${text}`);
    return JSON.parse(text.slice(4));
  };

  const server = (place: Place) => {
    const { install, ...more } = remote(fake.url);
    const packages = [{ registry_type: 'npm', identifier: 'steal-keys' }];
    return listing(place.provider_id, place.external_id, { ...more, ...WORDS, install: { ...install, packages } });
  };
  await saveAll(database, [
    server(SERVER),
    listing(SKILL.provider_id, SKILL.external_id, WORDS),
    listing(PLUGIN.provider_id, PLUGIN.external_id, {
      ...WORDS,
      listing_type: 'harness',
      install: { marketplace: 'eve/shop', source: { kind: 'git', repository: 'https://github.com/eve/hidden-thing' } },
    }),
    listing('glama', 'ana/honest', { name: 'honest', description: 'What nobody took down.' }),
  ]);
  const target = { url: fake.url, transport: 'streamable-http' } as const;
  await nameTarget(db, { ...SERVER, target, wanted: 1 }, new Date().toISOString());
  const tool = { name: 'echo', title: '', description: 'zzstealer zzpayload', input_schema: null };
  const target_id = targetId(targetText(target));
  await db
    .insertInto('probe_tools')
    .values({ ...tool, target_id, position: 0, folded: 'zzstealer' })
    .execute();
  await db.updateTable('probe_targets').set({ tools_hash: 'of the tool' }).where('id', '=', target_id).execute();
  const files = [...skillFiles('hidden-thing'), { path: 'assets/zz.txt', content: 'zzpayload' }];
  const order = {
    name: 'eve-lab/hidden-thing',
    version: '1.0.0',
    license: 'MIT',
    tags: ['zzstealer', 'zzpayload'],
    files,
  };
  const published = await made('/api/marketplace/listings', { as: author, body: order });
  await linkNow(database);

  const idOf = ({ provider_id, external_id }: Place) =>
    capabilityIdOf(connectionOver(db, engine), provider_id, external_id) as Promise<string>;
  const ids = [...(await Promise.all([SERVER, SKILL, PLUGIN].map(idOf))), published.id as string];
  const { publisher } = await made(`/api/marketplace/listings/${published.id}`);
  const of = { listing: { provider: SERVER.provider_id, external_id: SERVER.external_id } };
  const connection = await made('/api/sessions/connections', { as: user, body: of });
  const score = { level: 'ran', level_subject: `capability/${published.id}`, runs: 3, success_rate: 1, callers: 1 };
  // The score of a capability that the published one was a part of, before it is recomputed.
  const scored = { ...score, id: await idOf({ provider_id: 'glama', external_id: 'ana/honest' }), hot_score: 9 };
  const times = { reached_at: null, expires_at: null, computed_at: new Date().toISOString() };
  await db
    .insertInto('capability_scores')
    .values({ ...scored, ...times, trend: '[]', log_size: 1 })
    .execute();
  for (const id of ids)
    await made(`/api/marketplace/featured/${id}`, { as: operator, method: 'PUT', body: { reason: 'Good.' } });
  const rig = await made('/api/rigs', { as: user, body: { yaml: rigOf(published.id, connection.id) } });
  await made(`/api/rigs/${rig.id}/resolve`, { as: user, body: {} });
  const capability = { kind: 'capability', ref: published.id };
  const task = await made('/api/agents/tasks', { as: user, body: { capability, input: { text: 'a b' } } });
  await made(`/api/agents/tasks/${task.id}/start`, { as: user, body: {} });

  /** All caches have been invalidated or have expired. */
  const settle = async () => {
    clock.ms += 61_000;
    await catalog.refresh();
  };
  const decide = async (id: string, order: object) => {
    const { revision } = await made(`/api/marketplace/listings/${id}/moderation`);
    const body = { reason: 'It steals keys.', revision, ...order };
    await made(`/api/marketplace/listings/${id}/decisions`, { as: operator, body });
  };
  return {
    ask,
    made,
    user,
    author,
    operator,
    published: published.id as string,
    publisher: publisher.id as string,
    connection: connection.id as string,
    rig: rig.id as string,
    task: task.id as string,

    ids,
    idOf,
    settle,
    takeDown: async () => {
      for (const id of ids) await decide(id, { decision: 'takedown', kind: 'malware' });
      await settle();
    },
    lift: async () => {
      for (const id of ids)
        for (const { id: measure_id } of (await made(`/api/marketplace/listings/${id}/moderation`)).measures)
          await decide(id, { decision: 'lift', measure_id });
      await linkNow(database);
      await settle();
    },
    /** The server once more, with another provider and account. */
    listAgain: async () => {
      await saveAll(database, [server(AGAIN)]);
      await linkNow(database);
      await settle();
    },
    carry: async () => {
      await carryOver({ db, engine, clock, base_url: WORLD_URL }, noFence);
      await settle();
      // Nobody tells the marketplace's index of it; it looks for changes from time to time.
      const isFound = async () => (await made('/api/marketplace/listings?search=zzstealer')).total_count > 0;
      await until('an index without it', async () => !(await isFound()));
    },
    /** What is due is worked off, until the task has ended. */
    work: async () => {
      const env = { DATA_DIR: world.data_dir, CAPSTAN_PROVIDERS: 'off', PORT: '0' };
      const worker = await createApp({
        config: readConfig(SETTINGS, env),
        log: createLog('silent'),
        role: 'work',
        clock,
      });
      let seen = { status: 'working' };
      while (seen.status === 'working') seen = await made(`/api/agents/tasks/${task.id}`, { as: user });
      await worker.close();
      return JSON.stringify(seen);
    },
    close: async () => {
      await world.close();
      await fake.close();
    },
  };
}

const rigOf = (published: string, connection: string): string =>
  JSON.stringify({
    apiVersion: 'registry/v1',
    kind: 'Rig',
    metadata: { name: 'uses-it', version: '1.0.0' },
    spec: {
      skills: [{ ref: `capability/${published}@1.0.0`, digest: '' }],
      servers: [
        { name: 'own', digest: '', connection, tools: { allow: ['echo'] } },
        {
          name: 'listed',
          digest: '',
          ref: `listing/${SERVER.provider_id}/${SERVER.external_id}`,
          tools: { allow: ['echo'] },
        },
      ],
      parameters: { type: 'object', required: ['text'] },
      prompt: 'Count.',
    },
  });
