import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newId } from '#core/ids.ts';
import { accountsOf } from '../accounts.ts';
import { oneDatabase } from '../databases.ts';
import { startLlm } from '../fakes/llm.ts';
import { rpc } from '../mcp-stand.ts';
import { capstand, freshDir } from './capstand.ts';

/** The program in two threads, with streams open in both, told to stop. */

const EACH = 4;
/** The kernel deals connections out by chance: that one thread gets none of so many would be a wonder. */
const QUIET = 8;
/** As supervisors give it by default, and the service says of itself. */
const STOPS_WITHIN_MS = 10_000;

oneDatabase('SIGTERM to two serving threads', (open) => {
  test('streams are ended whole, what is short is finished, and the code is 0', async () => {
    const database = await open();
    const { config } = database;
    const DATA_DIR = config.engine === 'sqlite' ? dirname(config.path) : await freshDir();
    const llm = await startLlm(() => ({ text: 'x'.repeat(100), fault: { stall: true } }));
    const service = capstand(['serve'], {
      DATA_DIR,
      CAPSTAN_THREADS: '2',
      LOG_LEVEL: 'debug',
      CAPSTAN_LLM_URL: llm.url,
      CAPSTAN_LLM_MODELS: 'fake-1',
      CAPSTAN_LLM_MODEL: 'compatible/fake-1',
      ...(config.engine === 'postgres' ? { DATABASE_URL: config.url } : {}),
    });
    after(async () => {
      service.child.kill('SIGKILL');
      await llm.close();
    });
    const url = await service.url();
    const { token } = await (await accountsOf({ database, data_dir: DATA_DIR } as never)).signUp();
    const ids: string[] = [];
    /** Each by a connection of its own. */
    const ask = async (method: string, path: string, body?: unknown, more = {}): Promise<IncomingMessage> => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...more };
      const asked = request(`${url}${path}`, { method, headers, agent: new Agent() });
      asked.end(body === undefined ? undefined : JSON.stringify(body));
      const [answer] = (await once(asked, 'response')) as [IncomingMessage];
      assert.ok((answer.statusCode as number) < 300, `${path}: ${answer.statusCode}`);
      return answer;
    };
    const stream = async (...asked: Parameters<typeof ask>) => {
      const id = newId();
      ids.push(id);
      const [method, path, body, more] = asked;
      const answer = await ask(method, path, body, { ...more, 'x-request-id': id });
      // Something was said: it stands.
      const [first] = await once(answer.setEncoding('utf8'), 'data');
      return {
        path,
        ended: text(answer).then(
          (rest) => `${first}${rest}`,
          (error) => error as Error,
        ),
      };
    };
    const order = { capability: { kind: 'skill', ref: 'json-diff' }, input: { before: 1, after: 2 } };
    const { id: task } = JSON.parse(await text(await ask('POST', '/api/agents/tasks', order)));
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {} },
      clientInfo: { name: 'test', version: '1' },
    };
    const accept = 'application/json, text/event-stream';
    const newSession = async () => {
      const begun = await ask('POST', '/mcp/jsonrpc', rpc('initialize', params), { accept });
      await text(begun);
      return { 'mcp-session-id': `${begun.headers['mcp-session-id']}`, accept: 'text/event-stream' };
    };
    const streams: Awaited<ReturnType<typeof stream>>[] = [];
    for (let n = 0; n < QUIET; n++)
      streams.push(
        await stream('GET', `/api/agents/tasks/${task}/events`),
        await stream('GET', '/mcp/jsonrpc', undefined, await newSession()),
      );
    for (let n = 0; n < EACH; n++)
      streams.push(await stream('POST', '/api/agents/core-agent/chat', { message: 'hello', stream: true }));
    const short = connect(Number(new URL(url).port), '127.0.0.1').setEncoding('latin1');
    short.write('GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n');
    await sleep(500);

    const told_ms = performance.now();
    service.child.kill('SIGTERM');
    await sleep(100);
    short.write('\r\n');
    assert.match(await text(short), /^HTTP\/1\.1 200 /);
    // On which nothing is said until somebody does something: at once, or they would hold the stop up. Turns of the agent later.
    for (const [is_quiet, within_ms] of [
      [true, 5_000],
      [false, STOPS_WITHIN_MS],
    ] as const)
      for (const { path, ended } of streams.filter((stream) => stream.path.endsWith('/chat') !== is_quiet)) {
        const said = await ended;
        const took_ms = performance.now() - told_ms;
        assert.ok(typeof said === 'string', `${path} was cut after ${took_ms} ms: ${said}`);
        assert.ok(took_ms < within_ms, `${path}: ${took_ms} ms`);
        if (!is_quiet) assert.match(said, /event: (error|end|stopped)/, said);
      }
    const { code, signal, stderr } = await service.ended;
    assert.equal(code, 0, `${signal} ${stderr.slice(-2_000)}`);
    assert.ok(performance.now() - told_ms < STOPS_WITHIN_MS);
    const lines = stderr.split('\n').filter((line) => ids.some((id) => line.includes(id)));
    assert.deepEqual([...new Set(lines.map((line) => JSON.parse(line).thread))].sort(), [1, 2], 'both had some');
  });
});
