import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, describe, test } from 'node:test';
import { systemClock } from '#core/clock/clock.ts';
import { defined } from '#core/defined.ts';
import { createLog } from '#core/log.ts';
import { NO_POSTGRES, postgresConfig } from './databases.ts';
import { rpc, slow, standOffer } from './mcp-stand.ts';
import { ethereumWallet } from './wallet-keys.ts';
import { openWorld, type World } from './world.ts';

/** Two instances on one PostgreSQL, each with its own DATA_DIR: one continues what the other started. */

interface Sent {
  body?: unknown;
  headers?: Record<string, string>;
  address?: string;
}

async function ask(world: World, method: string, path: string, { body, headers = {}, address = '198.51.100.1' }: Sent) {
  const json = body === undefined ? {} : { 'content-type': 'application/json' };
  const init = { method, headers: { ...json, ...headers }, address };
  return world.fetch(path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
}

async function challenge(world: World, wallet: ReturnType<typeof ethereumWallet>, address?: string) {
  const body = { wallet_address: wallet.address, wallet_type: wallet.wallet_type };
  const asked = await ask(world, 'POST', '/api/wallets/challenge', {
    body,
    ...defined({ address: address || undefined }),
  });
  const { challenge_id, message } = (await asked.json()) as { challenge_id: string; message: string };
  return { challenge_id, wallet_address: wallet.address, signature: await wallet.sign(message) };
}

describe('two instances on one PostgreSQL', { skip: NO_POSTGRES }, async () => {
  const { config, drop } = await postgresConfig();
  const env = {
    DATABASE_URL: config.engine === 'postgres' ? config.url : '',
    CAPSTAN_SECRET_KEY: randomBytes(32).toString('base64'),
    PUBLIC_URL: 'http://127.0.0.1:4361',
    CAPSTAN_LIMIT_WALLET: '8/1h',
  };
  const open = () => openWorld(env, 'quiet', systemClock, createLog('silent'), { offer: standOffer });
  const [one, other] = await Promise.all([open(), open()]);
  const urls = (await Promise.all([one.listen(), other.listen()])).map(({ url }) => url) as [string, string];
  after(async () => {
    await Promise.all([one.close(), other.close()]);
    await drop();
  });

  test('a challenge of one instance works once at the other, and a token works at both until it is logged out', async () => {
    const wallet = ethereumWallet();
    const body = await challenge(one, wallet);
    const verify = (world: World) => ask(world, 'POST', '/api/wallets/verify', { body, address: '198.51.100.2' });
    const raced = await Promise.all([other, one, other, one].map(verify));
    assert.deepEqual(raced.map(({ status }) => status).sort(), [200, 401, 401, 401]);
    const verified = raced.find(({ status }) => status === 200) as Response;
    const { access_token } = (await verified.json()) as { access_token: string };
    const headers = { authorization: `Bearer ${access_token}` };
    const sessions = async () =>
      Promise.all(
        [one, other].map(async (world) => (await ask(world, 'GET', '/api/auth/session', { headers })).status),
      );
    assert.deepEqual(await sessions(), [200, 200]);
    assert.equal((await ask(other, 'POST', '/api/auth/logout', { headers })).status, 200);
    assert.deepEqual(await sessions(), [401, 401]);
  });

  test('a rate limit is shared by both instances', async () => {
    const body = { wallet_address: ethereumWallet().address, wallet_type: 'ethereum' };
    const asked = await Promise.all(
      Array.from({ length: 12 }, (_, at) =>
        ask(at % 2 === 0 ? one : other, 'POST', '/api/wallets/challenge', { body, address: '198.51.100.3' }),
      ),
    );
    assert.equal(asked.filter(({ status }) => status === 200).length, 8);
  });

  const EVENTS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
  const send = (url: string, message: object, headers: Record<string, string> = {}) =>
    fetch(`${url}/mcp/jsonrpc`, {
      method: 'POST',
      headers: { ...EVENTS, ...headers },
      body: JSON.stringify(message),
      signal: AbortSignal.timeout(10_000),
    });

  async function begin(): Promise<Record<string, string>> {
    const clientInfo = { name: 'test', version: '1' };
    const hello = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo };
    const begun = await send(urls[0], rpc('initialize', hello));
    await begun.text();
    return { 'mcp-session-id': `${begun.headers.get('mcp-session-id')}` };
  }

  const call = (name: string, id: number, more: object = {}) => rpc('tools/call', { name, arguments: {}, ...more }, id);

  test('an MCP session is usable at both instances, and an elicitation can be answered at the other one', async () => {
    const session = await begin();
    const ready = { jsonrpc: '2.0', method: 'notifications/initialized' };
    assert.equal((await send(urls[1], ready, session)).status, 202);
    const asking = await Promise.all(urls.map((url, at) => send(url, call('hello', at), session)));
    const readers = asking.map(({ body }) => body?.pipeThrough(new TextDecoderStream()).getReader());
    for (const [at, reader] of readers.entries()) {
      const { id, method } = JSON.parse(`${(await reader?.read())?.value}`.split('data: ')[1] as string);
      assert.equal(method, 'elicitation/create');
      const answer = { jsonrpc: '2.0', id, result: { action: 'accept', content: { name: `Ada ${at}` } } };
      assert.equal((await send(urls[1 - at] as string, answer, session)).status, 202);
    }
    for (const [at, reader] of readers.entries())
      assert.match(`${(await reader?.read())?.value}`, new RegExp(`Hello, Ada ${at}\\.`));
  });

  test('a call can be cancelled and its session ended through the other instance', async () => {
    const session = await begin();
    const begun = async (id: number) =>
      (await send(urls[0], call('slow', id, { _meta: { progressToken: 1 } }), session)).body?.getReader();
    const before = slow.given_up;
    const cancelled = await begun(1);
    await cancelled?.read();
    const cancel = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    assert.equal((await send(urls[1], cancel, session)).status, 202);
    assert.equal((await cancelled?.read())?.done, true);
    const ended = await begun(2);
    await ended?.read();
    assert.equal((await fetch(`${urls[1]}/mcp/jsonrpc`, { method: 'DELETE', headers: session })).status, 200);
    assert.equal((await ended?.read())?.done, true);
    assert.equal(slow.given_up, before + 2);
    assert.equal((await send(urls[0], rpc('ping'), session)).status, 404);
  });
});
