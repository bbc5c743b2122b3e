import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createBrowser } from '../../test/fakes/browser.ts';
import { openOAuthStand } from '../../test/oauth-stand.ts';
import { openStand } from './stand.ts';

/** The program with the real service and an MCP server with an authorization server, all over sockets. */

const service = await openOAuthStand();
const stand = await openStand(service.url);
after(async () => {
  await stand[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

/** Signs in with a browser that has no cookies of the service. */
async function signIn(page: string) {
  const { response } = await createBrowser().visit(page);
  assert.equal(response?.status, 200);
  return true;
}

test('connections sign-in authorizes a connection through the browser', async () => {
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

test('connections sign-in prints the URL if no browser can be opened, and continues once it is opened', async () => {
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

test('connections sign-in exits with 4 if access is denied at the server', async () => {
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
