import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Agent, type IncomingMessage, request } from 'node:http';
import { dirname } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { defined } from '#core/defined.ts';
import { newId } from '#core/ids.ts';
import { accountsOf } from '../accounts.ts';
import { oneDatabase } from '../databases.ts';
import { startLlm } from '../fakes/llm.ts';
import { rpc } from '../mcp-stand.ts';
import { until } from '../until.ts';
import { capstand, freshDir } from './capstand.ts';
import { halfAsked, isClosed } from './half-asked.ts';

/** The program in two threads, with streams open in both, told to stop. */

const EACH = 4;
/** The kernel deals connections out by chance: that one thread gets none of so many would be a wonder. */
const QUIET = 8;

oneDatabase('SIGTERM to two serving threads', (open) => {
  test('ends streams with a final event, finishes short requests, and exits with 0', async () => {
    const database = await open('own');
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
      ...defined({ DATABASE_URL: config.engine === 'postgres' ? config.url : undefined }),
    });
    after(async () => {
      service.child.kill('SIGKILL');
      await llm.close();
    });
    const url = await service.url();
    const { token } = await (await accountsOf({ database, data_dir: DATA_DIR } as never)).signUp();
    const ids: string[] = [];
    const orderOfEnds: string[] = [];
    /** Each on its own connection. */
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
      const ended = text(answer).then(
        (rest) => `${first}${rest}`,
        (error) => error as Error,
      );
      void ended.then(() => orderOfEnds.push(path));
      return { path, ended };
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
    const port = Number(new URL(url).port);
    const short = await halfAsked(port);

    service.child.kill('SIGTERM');
    await until('a closed port', () => isClosed(port));
    short.open.write('\r\n');
    assert.match(await short.answers, /^HTTP\/1\.1 200[\s\S]*HTTP\/1\.1 200/);
    for (const { path, ended } of streams) {
      const said = await ended;
      assert.ok(typeof said === 'string', `${path} was cut: ${said}`);
      if (path.endsWith('/chat')) assert.match(said, /event: (error|end|stopped)/, said);
    }
    // The other connections are idle, so they end at once. Otherwise they would delay the stop.
    const firstTurn = orderOfEnds.findIndex((path) => path.endsWith('/chat'));
    assert.equal(firstTurn, 2 * QUIET, orderOfEnds.join(' '));
    const { code, signal, stderr } = await service.ended;
    assert.equal(code, 0, `${signal} ${stderr.slice(-2_000)}`);
    const lines = stderr.split('\n').filter((line) => ids.some((id) => line.includes(id)));
    assert.deepEqual([...new Set(lines.map((line) => JSON.parse(line).thread))].sort(), [1, 2], 'both had some');
  });
});
