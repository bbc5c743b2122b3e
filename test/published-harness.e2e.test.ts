import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { type Account, accountsOf } from './accounts.ts';
import { startLlm } from './fakes/llm.ts';
import { startMcpFake, textResult } from './fakes/mcp-server.ts';
import { skillFiles } from './publishing-stand.ts';
import { until } from './until.ts';
import { openWorld } from './world.ts';

/** A harness that one user publishes, and that another finds, runs and has the receipt of. */

const llm = await startLlm();
const model = { CAPSTAN_LLM_URL: llm.url, CAPSTAN_LLM_MODELS: 'fake-1,fake-2' };
const world = await openWorld({ ...model, CAPSTAN_LLM_MODEL: 'compatible/fake-1' }, 'serve');
const tool = (name: string) => ({
  name,
  inputSchema: { type: 'object' as const, properties: { text: { type: 'string' as const } } },
  call: (args: Record<string, unknown>) => textResult(`${name}: ${args.text}`),
});
const forge = await startMcpFake([tool('search'), tool('erase')]);
after(async () => {
  await world.close();
  await forge.close();
  await llm.close();
});
const accounts = await accountsOf(world);
const [author, user] = [await accounts.signUp(), await accounts.signUp()];

async function ask({ token }: Account, method: string, path: string, body?: object, more: object = {}) {
  const headers = { ...more, authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const answer = await world.fetch(path, {
    method,
    headers,
    ...defined({ body: body ? JSON.stringify(body) : undefined }),
  });
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what the test is about
  return { status: answer.status, body: (await answer.json()) as any };
}

const harnessMd = (name: string) => `---
name: ${name}
description: Answers letters in the tone of the house. Use it for incoming post of customers.
---

# Desk

Count the words of the letter with the skill count-words, then answer by references/style.md.
`;

const filesOf = (name: string, yaml: string) => [
  { path: 'HARNESS.md', content: harnessMd(name) },
  { path: 'references/style.md', content: 'Never more than three sentences.\n' },
  ...skillFiles('count-words').map((skillFile) => ({ ...skillFile, path: `skills/count-words/${skillFile.path}` })),
  ...(yaml === '' ? [] : [{ path: 'harness.yaml', content: `version: "1"\nkind: harness\n${yaml}` }]),
];

async function publish(version: string, yaml = '', name = 'ada-lang/letter-desk') {
  const order = { name, version, license: 'MIT', files: filesOf(name.slice(name.indexOf('/') + 1), yaml) };
  const made = await ask(author, 'POST', '/api/marketplace/listings', order);
  assert.equal(made.status, 201, JSON.stringify(made.body));
  return made.body as { id: string; digest: string };
}

async function run(capability: object, input: object) {
  const made = await ask(user, 'POST', '/api/agents/tasks', { capability, input });
  if (made.status !== 201) return made.body;
  const { status, body } = await ask(user, 'POST', `/api/agents/tasks/${made.body.id}/start`);
  return status < 300 ? finished(made.body.id) : body;
}

const finished = (id: string) =>
  until('an end of the task', async () => {
    const { body } = await ask(user, 'GET', `/api/agents/tasks/${id}`);
    return body.finished_at !== null && body;
  });

async function callTool(name: string, args: object) {
  const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } };
  const headers = { 'content-type': 'application/json' };
  const answer = await world.fetch('/mcp/jsonrpc', { method: 'POST', headers, body: JSON.stringify(body) });
  // biome-ignore lint/suspicious/noExplicitAny: as above
  return ((await answer.json()) as any).result.structuredContent;
}

const calls = (name: string, input: object) => ({ tool_calls: [{ name, input }] });

test('a published harness is found over MCP, runs with its skills, scripts and references, and has a receipt', async () => {
  const { id, digest } = await publish('1.0.0');
  const found = await callTool('registry_search', { query: 'letter desk' });
  assert.equal(found.items[0].external_id, id);
  const shown = await callTool('registry_get_listing', { provider: 'capstan', external_id: id });
  const { tool: next, arguments: given } = shown.next;
  assert.deepEqual([next, Object.keys(given.input)], ['task_create', ['prompt']]);
  assert.match(shown.runnable.detail, /"prompt"/);

  const turns = [
    calls('load_skill', { name: 'count-words' }),
    calls('run_skill_script', { skill: 'count-words', path: 'scripts/run.mjs', input: '{"text": "one two three"}' }),
    calls('read_harness_file', { path: 'references/style.md' }),
    { text: '{"answer": "Thank you."}' },
  ];
  llm.turn = (_, number) => turns[number] ?? { text: 'too many' };
  const input = { ...given.input, prompt: 'Answer this letter.', letter: 'one two three' };
  const task = await run(given.capability, input);
  assert.deepEqual([task.status, task.output], ['completed', { answer: 'Thank you.' }], JSON.stringify(task));
  const asked = llm.requests.map(({ body }) => body);
  const [system, message] = asked[0].messages;
  assert.match(JSON.stringify(system), /Count the words of the letter with the skill count-words/);
  assert.ok(!JSON.stringify(asked[0].messages).includes('Split the text'), 'a skill is told only when it is loaded');
  assert.match(JSON.stringify(message), /^.*Answer this letter\..*The parameters, as JSON: .*one two three/);
  const last = JSON.stringify(asked[3].messages);
  assert.match(last, /Split the text at white space/);
  assert.match(last, /"stdout\\*":\\*"3/);
  assert.match(last, /three sentences/);

  const receipt = (await ask(user, 'GET', `/api/receipts/${task.receipt_id}`)).body;
  const statement = JSON.parse(Buffer.from(receipt.dsse.payload, 'base64').toString());
  const subject = { name: `capability/${id}@1.0.0`, digest: { sha256: digest.slice('sha256:'.length) } };
  assert.deepEqual(statement.subject[0], subject);
  assert.equal(statement.predicate.model, 'compatible/fake-1');
  assert.equal((await ask(user, 'POST', '/api/receipts/verify', receipt)).body.valid, true);
  const { spans } = (await ask(user, 'GET', `/api/agents/tasks/${task.id}/trace`)).body;
  assert.equal(spans[0].name, 'invoke_agent ada-lang/letter-desk');
  assert.ok(spans.some(({ name }: { name: string }) => name === 'execute_tool run_skill_script'));
});

test("a harness reaches its MCP servers through the caller's connections, without the tools it must ask for", async () => {
  const servers = `mcp-servers: { forge: { url: "${forge.url}" } }\npermissions: { ask: [forge.erase] }\n`;
  const { id } = await publish('1.1.0', servers);
  const capability = { kind: 'capability', ref: 'ada-lang/letter-desk', version: '1.1.0' };
  const made = await ask(user, 'POST', '/api/sessions/connections', { url: forge.url });
  assert.equal(made.body.status, 'ready');
  await ask(user, 'GET', `/api/sessions/connections/${made.body.id}/tools`);
  const refused = await run(capability, { prompt: 'Look it up.' });
  assert.deepEqual([refused.status, refused.status_reason], ['rejected', 'auth_needed'], JSON.stringify(refused));
  assert.match(refused.error.detail, /connections\.forge/);
  const others = await ask(author, 'POST', '/api/sessions/connections', { url: forge.url });
  const notMine = await run(capability, { prompt: 'Look.', connections: { forge: others.body.id } });
  assert.equal(notMine.status_reason, 'auth_needed');

  const before = llm.requests.length;
  llm.turn = (_, number) => (number === before ? calls('forge__search', { text: 'rope' }) : { text: 'Found.' });
  const input = { message: 'Look it up.', model: 'compatible/fake-2', connections: { forge: made.body.id } };
  const task = await run(capability, input);
  assert.deepEqual([task.status, task.output, task.capability.ref], ['completed', 'Found.', id], JSON.stringify(task));
  const [first, second] = llm.requests.slice(before).map(({ body }) => body);
  assert.equal(first.model, 'fake-2');
  const names = first.tools.map((tool: { function: { name: string } }) => tool.function.name);
  assert.ok(names.includes('forge__search') && !names.includes('forge__erase'), names.join());
  assert.match(JSON.stringify(second.messages), /search: rope/);
});

test('a harness is rejected with the reason if a server, skill, variable, model or prompt is missing', async () => {
  const of = (version: string) => ({ kind: 'capability', ref: 'ada-lang/letter-desk', version });
  const pin = `sha256:${'0'.repeat(64)}`;
  for (const [version, yaml, reason] of [
    ['1.2.0', 'mcp-servers: { local: { command: npx } }\n', 'unsupported'],
    ['1.2.1', 'skills: [skills/count-words, skill/json-diff]\n', 'unsupported'],
    ['1.2.2', `skills: [skills/count-words, { ref: skill/json-diff, digest: "${pin}" }]\n`, 'unreachable'],
    ['1.2.3', 'env: { DESK_TOKEN: { required: true } }\n', 'missing_env'],
  ] as const) {
    await publish(version, yaml);
    assert.equal((await run(of(version), { prompt: 'Go.' })).status_reason, reason, version);
  }
  assert.equal((await run(of('1.0.0'), { prompt: 'Go.', model: 'compatible/none' })).status_reason, 'model_required');
  assert.equal((await run(of('1.0.0'), { letter: 'x' })).code, 'runs.input_invalid');
});

test('a yanked version accepts no new tasks, but an existing task that pinned it still runs', async () => {
  const { id } = await publish('1.0.0', '', 'ada-lang/other-desk');
  const capability = { kind: 'capability', ref: id };
  const made = await ask(user, 'POST', '/api/agents/tasks', { capability, input: { prompt: 'Go.' } });
  await ask(author, 'POST', `/api/marketplace/listings/${id}/yank`, { reason: 'Rude.' });
  assert.equal((await run(capability, { prompt: 'Go.' })).code, 'runs.gone');
  llm.turn = () => ({ text: 'Done.' });
  await ask(user, 'POST', `/api/agents/tasks/${made.body.id}/start`);
  const task = await finished(made.body.id);
  assert.equal(task.status, 'completed', JSON.stringify(task));
});

test("a user's own harness runs by its id or name, with or without its kind, and reads its memory", async () => {
  const files = [...filesOf('own-desk', ''), { path: 'memory/tone.md', content: 'Be brief.' }];
  const made = await ask(user, 'POST', '/api/harnesses', { files }, await user.stepUp('POST /api/harnesses'));
  assert.equal(made.status, 201, JSON.stringify(made.body));
  const turns = [calls('read_memory', { path: 'tone.md' }), { text: 'Thank you.' }];
  for (const capability of [{ ref: made.body.id }, { ref: 'own-desk' }, { kind: 'harness', ref: 'own-desk' }]) {
    const before = llm.requests.length;
    llm.turn = (_, number) => turns[number - before] ?? { text: 'too many' };
    const task = await run(capability, { prompt: 'Answer.' });
    assert.equal(task.status, 'completed', JSON.stringify(task));
    assert.deepEqual([task.capability.kind, task.capability.ref], ['harness', made.body.id]);
    assert.match(JSON.stringify(llm.requests.slice(before)), /Be brief\./);
  }
  assert.equal((await ask(author, 'POST', '/api/agents/tasks', { capability: { ref: made.body.id } })).status, 404);
});
