import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { PAGE_COOKIE } from '../../src/accounts/auth/page-cookie.ts';
import { type Browser, createBrowser } from '../../test/fakes/browser.ts';
import { type Owner, openOAuthStand } from '../../test/oauth-stand.ts';
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

/** A browser in which this user is signed in on the pages. */
function pagesOf({ account }: Pick<Owner, 'account'>): Browser {
  const browser = createBrowser();
  browser.cookies(service.url).set(PAGE_COOKIE, account.token);
  return browser;
}

/** As the form of the connection's page sends it. Resolves with the address that the page continues to. */
async function press(browser: Browser, link: string): Promise<string> {
  const [page = ''] = link.split('#');
  const answer = await browser.send(page, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: service.url, accept: 'text/html' },
    body: 'do=oauth',
  });
  const html = await answer.text();
  assert.equal(answer.status, 200, html);
  const [, onward = ''] = /<a class="button" href="([^"]+)" rel="nofollow noopener">Continue/.exec(html) ?? [];
  return onward.replaceAll('&amp;', '&');
}

test('a consent that is gone is named on API, command line and MCP with a link that its owner finishes anywhere', async () => {
  const owner = await service.newOwner();
  const { api_key, connection } = owner;
  assert.equal((await service.signIn(owner)).status, 303);
  const env = { CAPSTAN_TOKEN: api_key };
  assert.equal((await stand.call(['connections', 'call', connection.id, 'hello'], { env })).code, 0);
  service.fake.revokeAll();

  const headers = { authorization: `Bearer ${api_key}`, 'content-type': 'application/json' };
  const ask = async (path: string, body: object) =>
    // biome-ignore lint/suspicious/noExplicitAny: the test looks at its members
    (await (await fetch(service.url + path, { method: 'POST', headers, body: JSON.stringify(body) })).json()) as any;
  const problem = await ask(`/api/sessions/connections/${connection.id}/tools/call`, { tool: 'hello' });
  const link = `${service.url}/dashboard/connections/${connection.id}#sign-in`;
  assert.deepEqual([problem.code, problem.sign_in_url], ['connections.authorization_required', link]);
  const called = await stand.call(['connections', 'call', connection.id, 'hello'], { env });
  assert.equal(called.code, 5);
  assert.ok(called.err.includes(link), called.err);
  const printed = await stand.call(['connections', 'sign-in', connection.id, '--link'], { env });
  assert.equal(JSON.parse(printed.out).sign_in_url, link);
  const params = { name: 'connection_list', arguments: {} };
  const { result } = await ask('/mcp/jsonrpc', { jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const [listed] = result.structuredContent.items;
  assert.deepEqual([listed.status, listed.sign_in_url], ['auth_required', link]);
  assert.equal((await service.look(connection)).last_error?.reason, 'grant_ended');

  const [page = ''] = link.split('#');
  const nobody = await createBrowser().send(page, { headers: { accept: 'text/html' } });
  assert.match(nobody.headers.get('location') ?? '', /^\/signin\?to=/);
  const other = pagesOf(await service.newOwner());
  assert.equal((await other.send(page, { headers: { accept: 'text/html' } })).status, 404);

  const browser = pagesOf(owner);
  assert.match(await (await browser.send(page, { headers: { accept: 'text/html' } })).text(), />Repair</);
  const onward = await press(browser, link);
  assert.equal(new URL(onward).origin, service.fake.issuer);
  const { url } = await browser.visit(onward, page);
  assert.equal(new URL(url).searchParams.get('oauth'), 'connected');
  const repaired = await service.look(connection);
  assert.deepEqual([repaired.status, repaired.last_error], ['ready', null]);
  assert.equal(
    (await stand.call(['connections', 'call', connection.id, 'hello'], { env })).code,
    0,
    'the same connection',
  );
});

test('connections rename tells two accounts at one server apart in lists', async () => {
  const owner = await service.newOwner();
  const env = { CAPSTAN_TOKEN: owner.api_key };
  service.fake.account = 'ada@example.org';
  await service.signIn(owner);
  service.fake.account = null;
  const tty = { env, tty: true };
  const renamed = await stand.call(['connections', 'rename', owner.connection.id, 'Work'], tty);
  assert.match(renamed.out, /name +Work[\s\S]*account +ada@example\.org/, renamed.err);
  const listed = await stand.call(['connections', 'list'], tty);
  assert.match(listed.out, /Work \(ada@example\.org\)/);
});
