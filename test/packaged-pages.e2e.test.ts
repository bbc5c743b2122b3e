import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, test } from 'node:test';
import { accountsOf } from './accounts.ts';
import { isTooWide, openBrowser, openPage, SKIP, violationsOf } from './browser.ts';
import { FREE, packagedFixture, SERVER, saved } from './packaged-stand.ts';
import { bundleOf, openBundleServer } from './packages/bundles.ts';
import { noPackagesHere, onHost } from './packages/runtime.ts';
import { npmCliHere } from './packages/store.ts';
import { BROWSER } from './pages-stand.ts';
import { openWorld } from './world.ts';

/** A packaged server on the pages: its values as a form, its steps, and its hosts as switches. */

const skip = await noPackagesHere();
const fixture = await packagedFixture();
const world = await openWorld(
  { CAPSTAN_NPM_REGISTRY: fixture.registry.url, CAPSTAN_NPM_CLI: npmCliHere() ?? '' },
  'serve',
  undefined,
  undefined,
  { install: onHost },
);
after(() => world.close());
const { token } = await (await accountsOf(world)).signUp();
const NEW = '/dashboard/connections?listing=mcp-registry%2Fcom.example%2Fprobe';

const headers = { accept: BROWSER, cookie: `capstan-token=${token}` };

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
  assert.match(html, /Started here in a box, without network until you allow hosts/);
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
  const made = await send('/dashboard/connections', fields);
  assert.equal(made.status, 303);
  const path = made.headers.get('location') ?? '';
  assert.match(path, /^\/dashboard\/connections\/[0-9a-f-]+\?begin=connection_made$/);
  const page = await open(path.split('?')[0] as string);
  assert.match(page, /Isolation<\/dt><dd><code>bwrap\+seccomp/);
  assert.match(page, /It cannot reach the network\./);
});

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

test('hosts can be granted and revoked with checkboxes', { skip }, async () => {
  await saved(world.database, 'com.example/probe', FREE);
  const { location } = await connected('probe two');
  const savedHosts = await send(location, [
    ['do', 'hosts'],
    ['hosts', 'api.example.com\r\n'],
  ]);
  assert.equal(savedHosts.status, 303, await savedHosts.text());
  assert.match(await open(location), /<input type="checkbox" name="host" value="api\.example\.com" checked>/);
  const wrong = await send(location, [
    ['do', 'hosts'],
    ['host', 'api.example.com'],
    ['hosts', 'https://not a host'],
  ]);
  assert.equal(wrong.status, 422);
  assert.equal((await send(location, [['do', 'hosts']])).status, 303);
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
  const { url } = await world.listen();
  await using browser = await openBrowser();
  const { page, errors, strangers } = await openPage(browser, `${url}${NEW}`, { width: 360, scheme: 'dark', token });
  assert.deepEqual([await violationsOf(page), await isTooWide(page)], [[], false]);
  await page.getByLabel('Name').fill('probe one');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByText('You have a connection named').waitFor();
  await page.getByLabel('Name').fill('probe three');
  await page.getByRole('button', { name: 'Connect' }).click();
  await page.getByRole('heading', { name: 'Package' }).waitFor();
  assert.deepEqual([await violationsOf(page), await isTooWide(page), strangers], [[], false, []]);
  // A browser logs every response over 399 to its console.
  assert.deepEqual(
    errors.filter((line) => !/409/.test(line)),
    [],
  );
});
