import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { ethereumWallet } from '../wallet-keys.ts';
import type { Check } from './check.ts';
import { statuses } from './signing-in.ts';
import { type Answer, newAddress, type Stand } from './stand.ts';

/** What is counted is counted once, whichever instance takes it. */

/** The limits of the counted checks are of an hour, so that no window ends in the middle of one. */
export const COUNTED_LIMITS = {
  CAPSTAN_LIMIT_WALLET: '300/1h',
  CAPSTAN_LIMIT_MCP: '600/1h',
  CAPSTAN_LIMIT_CONNECT: '600/1h',
  CAPSTAN_LIMIT_OAUTH: '600/1h',
  CAPSTAN_LIMIT_CLIENTS: '600/1h',
};

export const countingChecks = (): Check[] => [
  { name: 'a limit is exact', run: exactLimit },
  { name: 'a limit that is counted ahead is exact', run: exactAhead },
  { name: 'failed logins of one account', run: failedLogins },
  { name: 'requests of a day', run: exactQuota },
  { name: 'one Idempotency-Key, sent to all at once', run: oneKey },
];

const many = <T>(count: number, ask: (number: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, number) => ask(number)));

async function exactLimit({ ask }: Stand): Promise<string> {
  const from = newAddress();
  const { wallet_type, address: wallet_address } = ethereumWallet();
  const body = { wallet_address, wallet_type };
  const found = statuses(await many(450, () => ask('POST', '/api/wallets/challenge', { body, from })));
  assert.deepEqual(found, { 200: 300, 429: 150 });
  return 'of 450 requests 300 were taken';
}

async function exactAhead({ ask }: Stand): Promise<string> {
  const from = newAddress();
  const body = { jsonrpc: '2.0', id: 1, method: 'ping' };
  const answers: Answer[] = [];
  for (let round = 0; round < 10; round++)
    answers.push(...(await many(90, () => ask('POST', '/mcp/jsonrpc', { body, from }))));
  assert.deepEqual(statuses(answers), { 200: 600, 429: 300 });
  return 'of 900 messages 600 were taken';
}

/** Ten an hour, from wherever: further ones are refused before the password is looked at. */
async function failedLogins({ ask }: Stand): Promise<string> {
  const body = { email: `${randomUUID()}@example.org`, password: 'not the password' };
  const answers = await many(40, () => ask('POST', '/api/auth/email/login', { body, from: newAddress() }));
  assert.deepEqual(statuses(answers), { 401: 10, 429: 30 });
  return 'of 40 wrong passwords 10 were looked at';
}

async function exactQuota({ newPerson, llm }: Stand): Promise<string> {
  const person = await newPerson('free');
  const before = llm.requests.length;
  const answers: Answer[] = [];
  for (let round = 0; round < 6; round++)
    answers.push(
      ...(await many(25, () => person.ask('POST', '/api/agents/core-agent/chat', { body: { message: 'hello' } }))),
    );
  assert.deepEqual(statuses(answers), { 200: 100, 429: 50 });
  assert.equal(llm.requests.length - before, 100);
  return 'of 150 chats 100 reached the model';
}

/** Each gets the first response, or a notice that it is still in progress. */
async function oneKey({ newPerson, cluster }: Stand): Promise<string> {
  const { ask, id } = await newPerson();
  const order = {
    body: { capability: { kind: 'skill', ref: 'json-diff' }, input: { before: 1, after: 2 } },
    headers: { 'idempotency-key': randomUUID() },
  };
  const answers = await many(60, () => ask('POST', '/api/agents/tasks', order));
  const last = await ask('POST', '/api/agents/tasks', order);
  const made = [...answers, last].filter(({ status }) => status === 201);
  assert.equal(last.status, 201);
  assert.equal(new Set(made.map(({ text }) => text)).size, 1);
  assert.equal(answers.length - answers.filter(({ status }) => status === 201 || status === 409).length, 0);
  const tasks = await cluster.database.db.selectFrom('tasks').select('id').where('user_id', '=', id).execute();
  assert.equal(tasks.length, 1);
  return `61 requests, 1 task; ${made.length} with its answer, ${61 - made.length} told to come again`;
}
