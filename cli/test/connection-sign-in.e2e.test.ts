import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createBrowser } from '../../test/fakes/browser.ts';
import { openOAuthStand } from '../../test/oauth-stand.ts';
import { openStand } from './stand.ts';

/** The program, the real service, and a real MCP server with its authorization server, all over sockets. */

const service = await openOAuthStand();
const stand = await openStand(service.url);
after(async () => {
  await stand[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

/** The sign-in by a browser that has never seen the service. */
async function signIn(page: string) {
  const { response } = await createBrowser().visit(page);
  assert.equal(response?.status, 200);
  return true;
}

test('connections sign-in ends with a connection that is signed in', async () => {
  const { api_key, connection } = await service.newOwner();
  const env = { CAPSTAN_TOKEN: api_key };
  const { code, out, err } = await stand.call(['connections', 'sign-in', connection.id, '--json'], {
    env,
    tty: true,
    openBrowser: signIn,
  });
  assert.equal(code, 0, err);
  assert.equal(JSON.parse(out).auth.type, 'oauth');
  assert.ok(err.includes(`${service.fake.mcp.url} receives a token from ${service.fake.issuer}, for read.`), err);
  assert.equal((await service.look(connection)).status, 'ready');
  const called = await stand.call(['connections', 'call', connection.id, 'hello', '--json'], { env });
  assert.match(called.out, /hello done/, called.err);
});

test('without a browser the address is shown, and opening it anywhere on the machine is enough', async () => {
  const { api_key, connection } = await service.newOwner();
  const calling = stand.call(['connections', 'sign-in', connection.id, '--json'], {
    env: { CAPSTAN_TOKEN: api_key },
    fetch: async (address, init) => {
      const answer = await fetch(address, init);
      if (`${address}`.endsWith('/oauth/start'))
        setImmediate(async () => signIn(((await copy.json()) as { authorization_url: string }).authorization_url));
      const copy = answer.clone();
      return answer;
    },
  });
  const { code, err } = await calling;
  assert.equal(code, 0, err);
  assert.match(err, /Open this URL to sign in: http/);
});

test('a denied sign-in at the server is reported', async () => {
  const { api_key, connection } = await service.newOwner();
  service.fake.denies = true;
  const { code, err } = await stand.call(['connections', 'sign-in', connection.id], {
    env: { CAPSTAN_TOKEN: api_key },
    tty: true,
    openBrowser: signIn,
  });
  service.fake.denies = false;
  assert.equal(code, 4);
  assert.match(err, /connections\.forbidden/);
});
