import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { noteNetwork } from '#accounts/quotas/account-networks.ts';
import { linkEmail } from '#accounts/users/identities.ts';
import { createUser } from '#accounts/users/users.ts';
import { createPasswords } from '#core/crypto/passwords.ts';
import { migrate } from '#core/db/migrate.ts';
import { openDatabase } from '#core/db/open.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { Attack, Flood } from '../fair-flood.ts';
import { startMcpFake } from '../fakes/mcp-server.ts';
import { capstand, freshDir } from '../process/capstand.ts';

/**
 * `npm run soak -- fair [samples] [flood…]`: how long a user waits for a tool call, a validation, a sandboxed task and a login, quiet,
 * beside one attacker and beside fifty, for each flood that once stopped the service. Every median may be three times its
 * quiet one. On loopback; what attackers send is bounded in number at once, in rate and in time.
 */
const [wantedSamples = '15', ...wantedFloods] = process.argv.slice(2);
const samples = Number(wantedSamples);
const MOST_TIMES = 3;
const MANY = 50;
/** A task takes seconds. */
const TASK_SAMPLES = Math.max(5, Math.ceil(samples / 3));
/** Each attacker's, so that this measures queues and not how many requests one process reads. */
const REQUESTS_PER_SECOND = 5;
const PASSWORD = 'correct horse battery';

interface Account {
  key: string;
  address: string;
  connection: string;
}

const dir = await freshDir();
const database = await openDatabase({ engine: 'sqlite', path: join(dir, 'capstan.db'), thread: 'same' });
await migrate(database);
const password_hash = await createPasswords().hash(PASSWORD, OWN_SHARE);

async function account(name: string, ageDays: number, address: string): Promise<Account> {
  const { db } = database;
  const now = new Date(Date.now() - ageDays * 86_400_000).toISOString();
  const { id: user_id } = await createUser(db, name, now);
  await noteNetwork(db, user_id, address, now);
  await linkEmail(db, {
    email: `${name}@example.com`,
    user_id,
    password_hash,
    linked_at: now,
    password_changed_at: now,
  });
  const made = await createApiKey(db, { user_id, name, scopes: ['read', 'write'], expires_at: null }, now);
  return { key: made.key, address, connection: '' };
}

const victim = await account('victim', 30, '198.51.100.7');
const author = await account('author', 30, '198.51.100.8');
// Made by hand from ten networks.
const attackers: Account[] = [];
for (let n = 0; n < MANY; n++) attackers.push(await account(`attacker-${n}`, 0, `203.0.${n % 10}.${10 + n}`));
await database.close();

/** With a lookahead, so that it has to be matched by backtracking. */
const SLOW = { type: 'object', properties: { a: { type: 'string', pattern: '^(?=a)(a+)+$' } } } as const;
const HOSTILE_INPUT = { a: `${'a'.repeat(40)}!` };
const fake = await startMcpFake([
  {
    name: 'look',
    inputSchema: { type: 'object', required: ['text'], properties: { text: { type: 'string', pattern: '^[a-z ]*$' } } },
    call: ({ text }) => ({ content: [{ type: 'text', text: `${text}` }] }),
  },
  { name: 'hostile', inputSchema: SLOW, call: () => ({ content: [] }) },
]);

const service = capstand(['serve'], {
  DATA_DIR: dir,
  CAPSTAN_TRUSTED_PROXIES: '127.0.0.1',
});
const url = await service.url();
while ((await fetch(`${url}/readyz`)).status !== 200) await sleep(100);

const JSON_TYPE = { 'content-type': 'application/json' };
const from = (address: string) => ({ ...JSON_TYPE, 'x-forwarded-for': address });
const as = ({ key, address }: Account) => ({ ...from(address), authorization: `Bearer ${key}` });

// biome-ignore lint/suspicious/noExplicitAny: answers of any operation
type Answer = { status: number; body: any };

async function ask(who: Account, method: string, path: string, body?: unknown): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await fetch(`${url}${path}`, { method, headers: as(who), ...sent });
  return { status: answer.status, body: await answer.json().catch(() => null) };
}

async function must(wanted: number[], asked: Promise<Answer>): Promise<Answer['body']> {
  const { status, body } = await asked;
  if (!wanted.includes(status)) throw new Error(`${status} ${JSON.stringify(body).slice(0, 500)}`);
  return body;
}

for (const who of [victim, ...attackers])
  who.connection = (await must([201], ask(who, 'POST', '/api/sessions/connections', { url: fake.url }))).id;

const SLEEPER = {
  name: 'author/sleeper',
  version: '1.0.0',
  license: 'MIT',
  files: [
    {
      path: 'SKILL.md',
      content:
        '---\nname: sleeper\ndescription: Wait for a while. Use it where somebody has to wait.\n' +
        'metadata:\n  capstan-entry: scripts/run.sh\n---\n\n# Wait\n\nRun the script.\n',
    },
    { path: 'scripts/run.sh', content: 'sleep 45\necho done\n' },
  ],
};
await must([201], ask(author, 'POST', '/api/marketplace/listings', SLEEPER));

const skillMd =
  '---\nname: some-skill\ndescription: Do something. Use it where something is to be done.\n---\n\n# Do\n\nDo it.\n';
const validation = (schema: object, input: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'skill_validate',
      arguments: {
        files: [
          { path: 'SKILL.md', content: skillMd },
          { path: 'assets/input.schema.json', content: JSON.stringify(schema) },
          { path: 'assets/example.json', content: JSON.stringify(input) },
        ],
      },
    },
  });
const MCP = { accept: 'application/json, text/event-stream' };

let logins = 0;
/** What the victim does. */
const ACTIONS: Record<string, () => Promise<void>> = {
  'tool call': async () => {
    const call = { tool: 'look', arguments: { text: 'a b c' } };
    await must([200], ask(victim, 'POST', `/api/sessions/connections/${victim.connection}/tools/call`, call));
  },
  validate: async () => {
    const body = validation({ type: 'object', properties: { a: { type: 'string', pattern: '^a+$' } } }, { a: 'aaa' });
    const answer = await fetch(`${url}/mcp/jsonrpc`, { method: 'POST', headers: { ...as(victim), ...MCP }, body });
    const text = await answer.text();
    if (answer.status !== 200 || text.includes('example-unchecked')) throw new Error(`${answer.status} ${text}`);
  },
  task: async () => {
    const input = JSON.parse(await readFile('skills/csv-profile/assets/example.json', 'utf8'));
    const capability = { kind: 'skill', ref: 'csv-profile' };
    const { id } = await must([201], ask(victim, 'POST', '/api/agents/tasks', { capability, input }));
    await must([200, 202], ask(victim, 'POST', `/api/agents/tasks/${id}/start`));
    for (;;) {
      const { status } = await must([200], ask(victim, 'GET', `/api/agents/tasks/${id}`));
      if (status === 'completed') return;
      if (status !== 'working') throw new Error(`the task is ${status}`);
      await sleep(25);
    }
  },
  login: async () => {
    // Each from elsewhere, as the limit counts them.
    const headers = from(`198.51.100.${20 + (logins++ % 200)}`);
    const body = JSON.stringify({ email: 'victim@example.com', password: PASSWORD });
    const answer = await fetch(`${url}/api/auth/email/login`, { method: 'POST', headers, body });
    if (answer.status !== 200) throw new Error(`${answer.status} ${await answer.text()}`);
    await answer.arrayBuffer();
  },
};

interface Times {
  median_ms: number;
  p99_ms: number;
}

async function measure(act: () => Promise<void>, count: number): Promise<Times> {
  const times: number[] = [];
  for (let n = 0; n < count; n++) {
    const before = performance.now();
    await act();
    times.push(performance.now() - before);
    await sleep(50);
  }
  times.sort((a, b) => a - b);
  const at = (share: number) => times[Math.floor((times.length - 1) * share)] as number;
  return { median_ms: at(0.5), p99_ms: at(0.99) };
}

async function measureAll(): Promise<Record<string, Times>> {
  const all: Record<string, Times> = {};
  for (const [name, act] of Object.entries(ACTIONS))
    all[name] = await measure(act, name === 'task' ? TASK_SAMPLES : samples);
  return all;
}

/** Begins a flood by so many attackers, and answers what ends it and says what it got. */
type Begin = (count: number) => Promise<() => Promise<string>>;

const byRequests =
  (inFlight: number, attackOf: (who: Account, n: number) => Attack): Begin =>
  async (count) => {
    const attacks = attackers.slice(0, count).map(attackOf);
    const flood: Flood = { attacks, in_flight: count === 1 ? inFlight : 4, requests_per_second: REQUESTS_PER_SECOND };
    const worker = new Worker(new URL('../fair-flood.ts', import.meta.url), { workerData: flood });
    await sleep(2_000);
    return async () => {
      const said = once(worker, 'message');
      worker.postMessage('stop');
      const [statuses] = await said;
      return JSON.stringify(statuses);
    };
  };

/** Five accounts of one network, or fifty of ten, with four tasks each that sleep. */
const bySleepers: Begin = async (count) => {
  const accounts = count === 1 ? attackers.filter((_, n) => n % 10 === 0) : attackers;
  const begun = await Promise.all(
    accounts.flatMap((who) =>
      [1, 2, 3, 4].map(async () => {
        const capability = { kind: 'capability', ref: SLEEPER.name };
        const { id } = await must([201], ask(who, 'POST', '/api/agents/tasks', { capability, input: {} }));
        await must([200, 202], ask(who, 'POST', `/api/agents/tasks/${id}/start`));
        return { who, id };
      }),
    ),
  );
  await sleep(3_000);
  return async () => {
    const statuses: Record<string, number> = {};
    for (const { who, id } of begun) {
      const { status } = await must([200], ask(who, 'GET', `/api/agents/tasks/${id}`));
      statuses[status] = (statuses[status] ?? 0) + 1;
      await ask(who, 'PUT', `/api/agents/tasks/${id}`, { status: 'cancelled' });
    }
    await sleep(3_000);
    return JSON.stringify(statuses);
  };
};

const FLOODS: Record<string, Begin> = {
  'anonymous skill_validate': byRequests(40, (_, n) => ({
    method: 'POST',
    url: `${url}/mcp/jsonrpc`,
    headers: { ...from(`192.0.2.${n}`), ...MCP },
    body: validation(SLOW, HOSTILE_INPUT),
  })),
  'tool calls': byRequests(24, (who) => ({
    method: 'POST',
    url: `${url}/api/sessions/connections/${who.connection}/tools/call`,
    headers: as(who),
    body: JSON.stringify({ tool: 'hostile', arguments: HOSTILE_INPUT }),
  })),
  'sleeping tasks': bySleepers,
  logins: byRequests(40, (_, n) => ({
    method: 'POST',
    url: `${url}/api/auth/email/login`,
    headers: from(`192.0.2.${n}`),
    body: JSON.stringify({ email: `nobody-${n}@example.com`, password: 'guess guess guess' }),
  })),
};

const fixed = ({ median_ms, p99_ms }: Times): string => `${median_ms.toFixed(0)} / ${p99_ms.toFixed(0)}`;

// Loads what the first of each loads.
await measureAll();
const rows: Record<string, string>[] = [];
let holds = true;
for (const [flood, begin] of Object.entries(FLOODS))
  for (const count of wantedFloods.length === 0 || wantedFloods.includes(flood) ? [1, MANY] : []) {
    // Right before, since what else the machine does changes meanwhile.
    const quiet = await measureAll();
    const end = await begin(count);
    const beside = await measureAll();
    const said = await end();
    const row: Record<string, string> = { flood, attackers: `${count}` };
    for (const name of Object.keys(ACTIONS)) {
      const [was, is] = [quiet[name] as Times, beside[name] as Times];
      const times = is.median_ms / was.median_ms;
      holds &&= times <= MOST_TIMES;
      row[name] = `${fixed(was)} → ${fixed(is)} (${times.toFixed(1)})`;
    }
    rows.push(row);
    console.log(Object.values(row).join(' | '), said);
    await sleep(2_000);
  }
service.child.kill('SIGTERM');
await service.ended;
await fake.close();

console.log('The victim: median / p99 in ms, quiet and beside the attackers, and the medians in times of each other.');
console.table(rows);
console.log(holds ? 'holds' : `does not hold: no median may be more than ${MOST_TIMES} times its quiet one`);
process.exit(holds ? 0 : 1);
