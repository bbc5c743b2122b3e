import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createApiKey } from '#accounts/api-keys/api-keys.ts';
import { changeUser, createUser } from '#accounts/users/users.ts';
import { openSecretKeys } from '#core/crypto/secret-keys.ts';
import { openDatabase } from '#core/db/open.ts';
import { startLlm } from '../test/fakes/llm.ts';
import { capstand } from '../test/process/capstand.ts';

/** The first streamed word of a chat, side by side with the same language model asked without us. */
const ROUNDS = 60;
const GOAL_MS = 50;

const llm = await startLlm(() => ({ text: 'Hello, this is a model.', fault: { delay_ms: 20 } }));
const data_dir = await mkdtemp(join(tmpdir(), 'capstan-bench-'));
await openSecretKeys({ written: randomBytes(32).toString('base64'), may_make: false, data_dir });
const service = capstand(['serve'], { DATA_DIR: data_dir, CAPSTAN_LLM_URL: llm.url, CAPSTAN_LLM_MODELS: 'fake-1' });
const url = await service.url();
const database = await openDatabase({ engine: 'sqlite', path: join(data_dir, 'capstan.db'), thread: 'own' });
const now = new Date().toISOString();
const user = await createUser(database.db, 'bench', now);
await changeUser(database.db, user.id, { tier: 'pro' }, now);
const wanted = { user_id: user.id, name: 'bench', scopes: ['read', 'write'] as const, expires_at: null };
const { key } = await createApiKey(database.db, wanted, now);

/** Until the first part that holds a word, in ms. */
async function firstWord(to: string, body: object, sign: RegExp): Promise<number> {
  const begun = performance.now();
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
  const answer = await fetch(to, { method: 'POST', headers, body: JSON.stringify(body) });
  let tookMs = Number.NaN;
  let text = '';
  for await (const chunk of answer.body ?? []) {
    text += Buffer.from(chunk).toString('utf8');
    if (Number.isNaN(tookMs) && sign.test(text)) tookMs = performance.now() - begun;
  }
  if (Number.isNaN(tookMs)) throw new Error(`no word: ${text}`);
  return tookMs;
}

const bare = () =>
  firstWord(
    `${llm.url}/chat/completions`,
    { model: 'fake-1', stream: true, messages: [{ role: 'user', content: 'Hi' }] },
    /"content":"H/,
  );
const ours = (model: string, sign: RegExp) =>
  firstWord(`${url}/api/agents/core-agent/chat`, { message: 'hello', model, stream: true }, sign);

const times: Record<'bare' | 'chat' | 'planner', number[]> = { bare: [], chat: [], planner: [] };
const model = 'compatible/fake-1';
const first = await ours(model, /event: text/);
for (let at = 0; at < ROUNDS; at++) {
  times.bare.push(await bare());
  times.chat.push(await ours(model, /event: text/));
  times.planner.push(await ours('builtin/planner', /event: text/));
}
const at = (list: number[], share: number): number =>
  Number((list.toSorted((a, b) => a - b)[Math.floor(list.length * share)] as number).toFixed(1));
const row = (list: number[]) => ({ 'p50 ms': at(list, 0.5), 'p95 ms': at(list, 0.95) });
console.table({
  'the model alone': row(times.bare),
  'a chat with it': row(times.chat),
  'a chat with the planner': row(times.planner),
});
console.log(`the first chat of the process, which loads the libraries: ${first.toFixed(0)} ms`);
const over = at(times.chat, 0.5) - at(times.bare, 0.5);
const met = over <= GOAL_MS;
console.log(
  `goal: first word at most ${GOAL_MS} ms over the model's own: ${over.toFixed(1)} ms at p50: ${met ? 'met' : 'missed'}`,
);
service.child.kill('SIGTERM');
await service.ended;
await database.close();
await llm.close();
await rm(data_dir, { recursive: true, force: true });
if (!met) process.exitCode = 1;
