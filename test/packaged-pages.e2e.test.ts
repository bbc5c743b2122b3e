import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { systemClock } from '#core/clock/clock.ts';
import { accountsOf } from './accounts.ts';
import { isTooWide, openBrowser, openPage, SKIP, violationsOf } from './browser.ts';
import { freePort } from './free-port.ts';
import { FREE, LAUNCH, packagedFixture, SERVER, saved } from './packaged-stand.ts';
import { bundleOf, openBundleServer } from './packages/bundles.ts';
import { noPackagesHere, onHost } from './packages/runtime.ts';
import { npmCliHere } from './packages/store.ts';
import { openWithWallets } from './page-wallets.ts';
import { BROWSER } from './pages-stand.ts';
import { openWorld } from './world.ts';

/** A packaged server on the pages: its values as a form, its steps, and its hosts as switches. */

const skip = await noPackagesHere();
const fixture = await packagedFixture();
const port = await freePort();
const url = `http://127.0.0.1:${port}`;
const world = await openWorld(
  { PORT: `${port}`, PUBLIC_URL: url, CAPSTAN_NPM_REGISTRY: fixture.registry.url, CAPSTAN_NPM_CLI: npmCliHere() ?? '' },
  'serve',
  undefined,
  undefined,
  { install: onHost },
);
after(() => world.close());
const account = await (await accountsOf(world, systemClock, url)).signUp();
const { token } = account;
const NEW = '/dashboard/connections?listing=mcp-registry%2Fcom.example%2Fprobe';

const headers = { accept: BROWSER, host: new URL(url).host, cookie: `capstan-token=${token}` };

async function open(path: string): Promise<string> {
  const answer = await world.fetch(path, { headers });
  assert.equal(answer.status, 200, path);
  return answer.text();
}

function send(path: string, fields: [string, string][]): Promise<Response> {
  return world.fetch(path, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/x-www-form-urlencoded', 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams(fields).toString(),
  });
}

test('the connect form has a field per variable of the listing and keeps rejected input with its error', {
  skip,
}, async () => {
  await saved(world.database, 'com.example/probe', FREE);
  const html = await open(NEW);
  assert.match(html, /<select [^>]*name="value\.UNITS"[\s\S]*?<option value="metres" selected>[\s\S]*?value="feet"/);
  assert.match(html, /<input type="number"[^>]*name="value\.--port"/);
  assert.match(html, /Runs here in a sandbox[\s\S]*Everything else is blocked/);
  const fields: [string, string][] = [
    ['do', 'connect'],
    ['place', 'mcp-registry/com.example/probe'],
    ['choice', '0'],
    ['package', '0'],
    ['name', 'probe zero'],
    ['value.UNITS', 'feet'],
  ];
  const refused = await send('/dashboard/connections', [...fields, ['value.--port', 'many']]);
  assert.equal(refused.status, 422);
  assert.match(await refused.text(), /must be a number[\s\S]*value="probe zero"[\s\S]*<option value="feet" selected>/);
  const endpoint = await newEndpoint();
  const made = await send('/dashboard/connections', [
    ...fields,
    ['host', 'api.example.com'],
    ['endpoint', endpoint],
    ['tools', 'write'],
  ]);
  assert.equal(made.status, 303);
  const path = made.headers.get('location') ?? '';
  assert.match(path, /^\/dashboard\/connections\/[0-9a-f-]+\?begin=connection_made$/);
  const page = await open(path.split('?')[0] as string);
  assert.match(page, /Isolation<\/dt><dd><code>bwrap\+seccomp/);
  assert.match(page, /name="host" value="api\.example\.com" checked/);
  const offered = await open(`/dashboard/endpoints/${endpoint}`);
  assert.match(offered, /name="tool" value="[0-9a-f-]+\/about" checked/, 'tools that do not say that they only read');
  assert.match(offered, /name="ask" value="[0-9a-f-]+" checked>[^/]*now of every tool/, 'and are asked about');
});

/** Without connections yet. */
async function newEndpoint(): Promise<string> {
  const answer = await world.fetch('/api/sessions/endpoints', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'laptop', connections: [] }),
  });
  return ((await answer.json()) as { id: string }).id;
}

test('the connect form of a bundle shows the settings of its manifest when they are missing, with their bounds', {
  skip,
}, async () => {
  const bundles = await openBundleServer();
  const user_config = {
    'units-of': { type: 'string', required: true, title: 'Units' },
    count: { type: 'number', min: 1, max: 5, default: 2 },
    loud: { type: 'boolean' },
    token: { type: 'string', sensitive: true },
  };
  const mcp_config = {
    command: 'node',
    args: [`\${__dirname}/server/index.js`],
    env: { UNITS: `\${user_config.units-of}` },
  };
  const bytes = bundleOf({
    server: { type: 'node', entry_point: 'server/index.js', mcp_config },
    files: [{ path: 'server/index.js', bytes: SERVER }],
    more: { user_config },
  });
  bundles.served.set('/declared.mcpb', bytes);
  const file_sha256 = createHash('sha256').update(bytes).digest('hex');
  const identifier = `${bundles.origin}/declared.mcpb`;
  const more = { registry_type: 'mcpb', identifier, version: '', file_sha256, package_arguments: [], env: [] };
  await saved(world.database, 'com.example/declared', { ...FREE, ...more });
  const fields: [string, string][] = [
    ['do', 'connect'],
    ['place', 'mcp-registry/com.example/declared'],
    ['choice', '0'],
    ['package', '0'],
  ];
  try {
    const refused = await send('/dashboard/connections', fields);
    assert.equal(refused.status, 422);
    const html = await refused.text();
    assert.match(html, /requires (?:&quot;|")units-of/);
    assert.match(html, /<input [^>]*name="value\.units-of" required/);
    assert.match(html, /<input type="number" step="any" min="1" max="5" [^>]*name="value\.count"[^>]*value="2"/);
    assert.match(html, /<select [^>]*name="value\.loud"/);
    assert.match(html, /Then you are asked for <code>token<\/code>/);
    const made = await send('/dashboard/connections', [...fields, ['value.units-of', 'feet'], ['value.count', '3']]);
    assert.equal(made.status, 303, await made.text());
  } finally {
    await bundles.close();
  }
});

test('hosts can be granted and revoked with checkboxes and a signature that names them', { skip }, async () => {
  await saved(world.database, 'com.example/probe', FREE);
  const { location } = await connected('probe two');
  const at = `PUT /api/sessions/connections/${location.split('/').at(-1)}/hosts`;
  const save = async (fields: [string, string][], hosts: string[]) => {
    const proof = await account.stepUp(at, account.wallet, { hosts });
    const step: [string, string][] = [
      ['step.challenge_id', proof['x-challenge-id'] ?? ''],
      ['step.signature', proof['x-wallet-signature'] ?? ''],
    ];
    return send(location, [['do', 'hosts'], ...fields, ...step]);
  };
  const typed: [string, string] = ['hosts', 'api.example.com\r\n'];
  assert.match(
    await open(location),
    /data-operation="connections\.hosts\.replace"[^>]+data-states="[^"]+host\[\] hosts\[\]/,
  );
  assert.equal((await send(location, [['do', 'hosts'], typed])).status, 401);
  assert.equal((await save([typed], ['other.example.com'])).status, 401, 'signed for another host');
  assert.match(await open(location), /It cannot reach the network\./);
  const savedHosts = await save([typed], ['api.example.com']);
  assert.equal(savedHosts.status, 303, await savedHosts.text());
  assert.match(await open(location), /<input type="checkbox" name="host" value="api\.example\.com" checked id/);
  const unfit = 'https://not';
  const wrong = await save(
    [
      ['host', 'api.example.com'],
      ['hosts', unfit],
    ],
    ['api.example.com', unfit],
  );
  assert.equal(wrong.status, 422);
  assert.equal((await save([], [])).status, 303);
  assert.match(await open(location), /It cannot reach the network\./);
});

async function connected(name: string): Promise<{ location: string }> {
  const made = await send('/dashboard/connections', [
    ['do', 'connect'],
    ['place', 'mcp-registry/com.example/probe'],
    ['package', '0'],
    ['name', name],
  ]);
  return { location: (made.headers.get('location') ?? assert.fail(await made.text())).replace(/\?.*/, '') };
}

test('in a browser, an error keeps the connect form, and the new connection opens', {
  skip: skip || SKIP,
}, async () => {
  await saved(world.database, 'com.example/probe', FREE);
  await connected('probe one');
  await world.listen();
  await using browser = await openBrowser();
  const { page, errors, strangers } = await openPage(browser, `${url}${NEW}`, { width: 360, scheme: 'dark', token });
  assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  await page.getByLabel('Name').fill('probe one');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('You have a connection named').waitFor();
  await page.getByLabel('Name').fill('probe three');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('Connection created.').waitFor();
  assert.deepEqual([await violationsOf(page), await isTooWide(page), strangers], [[], false, []]);
  // A browser logs every response over 399 to its console.
  assert.deepEqual(
    errors.filter((line) => !/409/.test(line)),
    [],
  );
  await page.context().close();
  await connectWithSecret(browser);
});

/** One form has the setting, the secret, the hosts and the tools of a server that is started from a package. */
async function connectWithSecret(browser: Browser): Promise<void> {
  await saved(world.database, 'com.example/keyed', { ...LAUNCH, hosts: ['api.example.com', 'cdn.example.com'] });
  const { page, errors } = await openWithWallets(browser, 390);
  const path = NEW.replace('probe', 'keyed');
  await page.goto(`${url}/signin?to=/dashboard/account`);
  await page
    .getByRole('button', { name: /Test Wallet/ })
    .first()
    .click();
  await page.waitForURL(`${url}/dashboard/account`);
  const made = await page.evaluate(async () => {
    const body = JSON.stringify({ name: 'laptop', connections: [] });
    const headers = { 'content-type': 'application/json' };
    return (await (await fetch('/-/api/sessions/endpoints', { method: 'POST', headers, body })).json()) as {
      id: string;
    };
  });
  await page.goto(`${url}${path}`);
  await page.getByLabel('UNITS').selectOption('feet');
  const secret = page.getByRole('textbox', { name: /^API_KEY/ });
  await secret.fill('key-of-the-test');
  const show = page.getByRole('button', { name: 'Show API_KEY' });
  await show.click();
  assert.equal(await secret.getAttribute('type'), 'text');
  await show.click();
  assert.equal(await secret.getAttribute('type'), 'password');
  await page.getByRole('checkbox', { name: /cdn\.example\.com/ }).uncheck();
  await page.getByRole('checkbox', { name: /Tools that change things/ }).check();
  for (const scheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme: scheme });
    assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  }
  await page.getByRole('button', { name: 'Test and connect' }).click();
  await page.getByText('Connection created.').waitFor();
  const [connection] = await world.database.db
    .selectFrom('connections')
    .select(['id', 'status', 'package_hosts', 'auth'])
    .where('external_id', '=', 'com.example/keyed')
    .execute();
  assert.deepEqual(
    [connection?.status, connection?.package_hosts],
    ['ready', '["api.example.com"]'],
    'only the host that stayed checked is granted',
  );
  assert.doesNotMatch(`${connection?.auth} ${await page.content()}`, /key-of-the-test/);
  await page.goto(`${url}/dashboard/connections/${connection?.id}`);
  assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  await page.getByText('Add a host').click();
  await page.getByLabel(/^Hosts/).fill('Extra.example.com\n*.example.org:8443');
  await page.getByRole('button', { name: 'Save the hosts and start it again' }).click();
  await page.getByRole('checkbox', { name: /extra\.example\.com/ }).waitFor();
  assert.deepEqual(JSON.parse(`${(await granted(connection?.id)).package_hosts}`), [
    'api.example.com',
    'extra.example.com',
    '*.example.org:8443',
  ]);
  await page.goto(`${url}/dashboard/endpoints/${made.id}`);
  assert.equal(await page.getByRole('checkbox', { name: 'All accepted tools' }).isChecked(), true);
  assert.equal(await page.getByRole('checkbox', { name: 'Probe' }).isChecked(), true);
  assert.deepEqual(errors, []);
  await page.context().close();
}

const granted = (id = '') =>
  world.database.db.selectFrom('connections').select('package_hosts').where('id', '=', id).executeTakeFirstOrThrow();
