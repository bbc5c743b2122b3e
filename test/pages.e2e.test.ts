import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import zlib from 'node:zlib';
import { textResult } from './fakes/mcp-server.ts';
import { saveAll } from './linking.ts';
import { listing, remote } from './listings.ts';
import { BROWSER, HOSTILE, openPagesStand, PATHS } from './pages-stand.ts';
import { readPng } from './pictures/read-png.ts';
import { startProbed } from './probes-fixture.ts';

/** The pages as they are without scripts: what is in them, what they may do, what they weigh. */

const stand = await openPagesStand({ CAPSTAN_PROBE: 'on' });
after(() => stand[Symbol.asyncDispose]());
const { world, open } = stand;
const HOST = { host: 'localhost:8080' };

test('every page works without scripts, under a CSP without inline or third-party code', async () => {
  for (const path of [...PATHS, '/nothing/here']) {
    const { status, headers, html } = await open(path);
    assert.equal(status, path === '/nothing/here' ? 404 : 200, path);
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8');
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.doesNotMatch(policy, /unsafe|\*|data:/);
    assert.doesNotMatch(
      html,
      / style=|<style|<script(?! type="(?:module" src="\/-\/|application\/ld\+json">))|<[^>]* on\w+="/,
      path,
    );
    assert.doesNotMatch(
      html,
      /<(?:link(?! rel="canonical")|script|img)[^>]*(?:href|src)="(?!\/|#)/,
      'only files of its own',
    );
    assert.equal(html.match(/<h1[ >]/g)?.length, 1, `${path} has one headline`);
    assert.match(html, /<main id="main"/);
    assert.match(headers.get('vary') ?? '', /cookie/);
  }
});

test('search engines and previews read the address, the title and the data of a page', async () => {
  const at = 'http://127.0.0.1:0';
  for (const path of PATHS) {
    const { html } = await open(path);
    const tag = (pattern: string) => new RegExp(pattern).exec(html)?.[1];
    if (html.includes('content="noindex"')) {
      assert.doesNotMatch(html, /rel="canonical"/, path);
      continue;
    }
    const address = at + path.split('?', 1)[0];
    assert.equal(tag('<link rel="canonical" href="([^"]*)">'), address, path);
    assert.equal(tag('<meta property="og:url" content="([^"]*)">'), address, path);
    for (const name of ['title', 'description', 'type', 'site_name'])
      assert.ok(tag(`<meta property="og:${name}" content="([^"]+)">`), `${path} has og:${name}`);
  }
  const { html } = await open('/registry/smithery/forecasts');
  const [, picture = ''] = /<meta property="og:image" content="http:\/\/127\.0\.0\.1:0([^"]*)">/.exec(html) ?? [];
  const shown = await world.fetch(picture, { headers: HOST });
  const { width, height } = readPng(Buffer.from(await shown.arrayBuffer()));
  assert.deepEqual([width, height], [1_200, 630]);
  assert.deepEqual(
    ['content-type', 'cache-control'].map((name) => shown.headers.get(name)),
    ['image/png', 'public, max-age=86400'],
  );
  const [, data = ''] =
    /<script type="application\/ld\+json">([^<>]*)<\/script>/.exec((await open('/registry/smithery/forecasts')).html) ??
    [];
  const listed = JSON.parse(data);
  assert.deepEqual(
    [listed['@type'], listed.name, listed.url],
    ['SoftwareApplication', 'Forecasts', `${at}/registry/smithery/forecasts`],
  );
  const { html: hostile } = await open(`/registry/docker/${encodeURIComponent(HOSTILE.external_id)}`);
  assert.equal(hostile.match(/<script/g)?.length, 2, 'the module and the data block');
  assert.doesNotMatch((await open('/nothing/here')).html, /rel="canonical"/);
});

test('a guide has an outline, copy buttons, its neighbours and the version', async () => {
  const { html } = await open('/docs/install');
  const [, outline = ''] = /<nav class="toc outline"[^>]*>(.*?)<\/nav>/s.exec(html) ?? [];
  const anchors = [...outline.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id as string);
  assert.ok(anchors.length >= 3);
  for (const id of anchors) assert.equal(html.split(`id="${id}"`).length, 2, id);
  assert.match(html, /rel="prev" href="\/docs\/try-without-an-account">← [A-Z]/);
  assert.match(html, /rel="next" href="\/docs\/first-rig">[A-Z].* →/);
  const count = (text: string) => html.split(text).length - 1;
  assert.ok(count('<pre') > 0);
  assert.equal(count('<div class="copy" data-island="copy"><pre'), count('<pre'));
  assert.match(html, /For Capstan \d+\.\d+\.\d+\./);
});

test('the search of the docs finds guides, operations and error codes', async () => {
  for (const [search, href] of [
    ['restore a backup', '/docs/back-up'],
    ['verify receipt offline', '/docs/verify-a-receipt'],
    ['create an api key', '/reference/apiKeys#accounts.apiKeys.create'],
    ['http.limit_exceeded', '/docs/errors/http.limit_exceeded'],
    ['CAPSTAN_METRICS_TOKEN', '/docs/'],
  ] as const) {
    const { html } = await open(`/docs?search=${encodeURIComponent(search)}`);
    const [, results = ''] = /<div id="results">(.*)<\/main>/s.exec(html) ?? [];
    const links = [...results.matchAll(/<h3><a href="([^"]*)"/g)].map(([, to]) => to as string);
    assert.ok(
      links.slice(0, 5).some((to) => to.startsWith(href)),
      `${search}: ${links.slice(0, 5).join(' ')}`,
    );
    assert.match(html, /content="noindex"/);
  }
  const { status, html } = await open(`/docs?search=${encodeURIComponent('<script>"\u202E')}${'(a+'.repeat(300)}`);
  assert.equal(status, 200);
  assert.doesNotMatch(html, /<script>|\u202E/);
  assert.match((await open('/docs?search=qqqqzzzz')).html, /Nothing found/);
});

test('every internal link leads to an existing page', async () => {
  const seen = new Set<string>();
  for (const path of PATHS)
    for (const [, to] of (await open(path)).html.matchAll(/<(?:a|link|form)[^>]* (?:href|action)="(\/[^"#]*)/g))
      seen.add((to as string).replaceAll('&amp;', '&'));
  // Every problem code has its page: test/house/problems.test.ts.
  const all = [...seen].filter((text) => text !== '/-/theme' && !text.startsWith('/docs/errors/'));
  assert.ok(all.length > 60);
  for (const path of all) {
    const { status } = await world.fetch(path, { headers: { accept: BROWSER, ...HOST } });
    assert.ok(status < 400, `${path} answers ${status}`);
  }
});

test('untrusted text is escaped, hidden characters are visible, links are http or https only', async () => {
  for (const path of ['/marketplace?sort=downloads', '/marketplace?search=alert'] as const) {
    const { html } = await open(path);
    assert.match(html, /&lt;script&gt;(?:<mark>)?alert(?:<\/mark>)?\(1\)&lt;\/script&gt;&quot;&#39;/);
    assert.match(html, /⟨U\+202E⟩txt/);
    assert.doesNotMatch(html, /<script>|<img src=x|javascript:|\u{202E}/u);
  }
  const { html } = await open('/marketplace?search=%3Cb%3E%22');
  assert.match(html, /value="&lt;b&gt;&quot;"/);
});

test('the list reads search, filters, sorting and offset from the address and keeps them in its links', async () => {
  const { html } = await open('/marketplace?search=tool&provider=smithery&sort=name&offset=25&utm_source=x');
  assert.match(html, /26 to 50 of 60/);
  assert.match(html, /rel="prev" href="\/marketplace\?search=tool&amp;provider=smithery&amp;sort=name"/);
  assert.match(html, /rel="next" href="\/marketplace\?search=tool&amp;provider=smithery&amp;sort=name&amp;offset=50"/);
  assert.match(html, /<a href="\/marketplace\?search=tool&amp;sort=name" rel="nofollow" aria-current="true">/);
  assert.match((await open('/marketplace?search=qqqqzzzz')).html, /Nothing found/);
  assert.match(
    (await open('/marketplace?provider=docker&listing_type=skill')).html,
    /Nothing passes all of these filters/,
  );
});

test('the addresses of former lists lead to Browse with their search and filters', async () => {
  const to = async (path: string) => {
    const { status, headers } = await open(path);
    return [status, headers.get('location')];
  };
  assert.deepEqual(await to('/registry'), [308, '/marketplace']);
  assert.deepEqual(await to('/registry?search=a%26b&provider=docker'), [
    308,
    '/marketplace?search=a%26b&provider=docker',
  ]);
  assert.deepEqual(await to('/skills'), [308, '/marketplace?provider=capstan&listing_type=skill']);
});

test('400: an unknown filter value shows an error page', async () => {
  const { status, html } = await open('/marketplace?provider=nobody');
  assert.equal(status, 400);
  assert.match(html, /docs\/errors\/http\.invalid/);
});

test('Accept or a suffix leads to the Markdown or JSON of a listing', async () => {
  const locationOf = async (path: string, accept: string) => {
    const answer = await world.fetch(path, { headers: { accept, ...HOST } });
    assert.equal(answer.status, 303, path);
    return answer.headers.get('location');
  };
  const json = '/api/marketplace/registry/smithery/forecasts';
  assert.equal(await locationOf('/registry/smithery/forecasts', 'text/markdown'), `${json}/md`);
  assert.equal(await locationOf('/registry/smithery/forecasts', 'application/json'), json);
  assert.equal(await locationOf('/registry/smithery/forecasts.md', BROWSER), `${json}/md`);
  assert.equal(await locationOf('/registry/smithery/forecasts.json', BROWSER), json);
  assert.equal(await locationOf('/skills/json-diff.md', BROWSER), '/api/skills/json-diff/SKILL.md');
  assert.equal((await open('/registry/smithery/nothing.md')).status, 404);
});

test('a listing shows its metadata, and its former ids redirect to it', async () => {
  const { html } = await open('/registry/smithery/forecasts');
  assert.match(html, /<h1><bdi>Forecasts<\/bdi><\/h1>/);
  assert.match(html, /href="\/marketplace\?tag=sky"/);
  assert.match(html, /<h2 id="trust">/);
  const former = { provider_id: 'smithery', alias: 'old/forecasts', external_id: 'forecasts' };
  await world.database.db.insertInto('listing_aliases').values(former).execute();
  const moved = await open('/registry/smithery/old/forecasts');
  assert.deepEqual([moved.status, moved.headers.get('location')], [308, '/registry/smithery/forecasts']);
  const { html: hostile } = await open(`/registry/docker/${encodeURIComponent(HOSTILE.external_id)}`);
  assert.match(hostile, /&lt;script&gt;alert\(1\)&lt;\/script&gt;/);
  assert.doesNotMatch(hostile, /href="javascript:|<script>|\u{202E}/u);
});

test('errors are HTML pages for browsers and JSON problems for API clients', async () => {
  for (const [path, status] of [
    ['/nothing', 404],
    ['/docs/nothing', 404],
    ['/docs/errors/nothing.here', 404],
    ['/api/auth/session', 401],
    ['/api/marketplace/registry/docker/nothing', 404],
  ] as const) {
    const { status: shown, headers, html } = await open(path);
    assert.deepEqual([shown, headers.get('content-type')], [status, 'text/html; charset=utf-8'], path);
    assert.match(html, /<a href="\/docs\/errors\/[\w.]+">What <code>/);
    const program = await world.fetch(path, { headers: HOST });
    if (path !== '/docs/nothing') assert.match(program.headers.get('content-type') ?? '', /json/, path);
  }
});

test('the header shows the signed-in user, and an invalid session cookie is deleted', async () => {
  const signedIn = await open('/marketplace', stand.account.token);
  assert.match(signedIn.html, /<a class="avatar" href="\/dashboard\/account" title="Ada">/);
  assert.match(signedIn.headers.get('cache-control') ?? '', /no-store/);
  const missing = await open('/nothing', stand.account.token);
  assert.equal(missing.status, 404);
  assert.match(missing.html, /<a class="avatar" href="\/dashboard\/account" title="Ada">/);
  assert.doesNotMatch(missing.html, /Sign in/);
  const stale = await open('/marketplace', 'aa.bb.cc');
  assert.equal(stale.status, 200);
  assert.doesNotMatch(stale.html, /class="user"/);
  assert.match(stale.headers.getSetCookie().join(), /capstan-token=; Path=\/; Max-Age=0/);
});

test('the session cookie authenticates API requests only from our pages', async () => {
  const cookie = `capstan-token=${stand.account.token}`;
  const ask = (path: string, more: Record<string, string>) =>
    world.fetch(path, { headers: { ...HOST, cookie, ...more } });
  assert.equal((await ask('/-/api/auth/session', { 'sec-fetch-site': 'same-origin' })).status, 200);
  assert.equal((await ask('/-/api/auth/session', { 'sec-fetch-site': 'cross-site' })).status, 403);
  assert.equal((await ask('/-/api/auth/session', {})).status, 403);
  assert.equal((await ask('/api/auth/session', { 'sec-fetch-site': 'same-origin' })).status, 401);
});

test('the theme form stores light or dark and redirects only within the service', async () => {
  const send = (body: string, more: Record<string, string> = {}) =>
    world.fetch('/-/theme', { method: 'POST', body, headers: { ...HOST, origin: 'http://localhost:8080', ...more } });
  const kept = await send('theme=dark&to=%2Fregistry%3Fsearch%3Da');
  assert.deepEqual([kept.status, kept.headers.get('location')], [303, '/registry?search=a']);
  assert.match(kept.headers.getSetCookie().join(), /^capstan-theme=dark;/);
  for (const to of ['//evil.example', '/\\evil.example', 'https://evil.example', '/a%0d%0ax'])
    assert.doesNotMatch(
      (await send(`theme=dark&to=${encodeURIComponent(to)}`)).headers.get('location') ?? '',
      /evil|\n/,
    );
  assert.equal((await send('theme=dark', { origin: 'https://evil.example' })).status, 403);
  const answer = await world.fetch('/', { headers: { accept: BROWSER, ...HOST, cookie: 'capstan-theme=dark' } });
  assert.match(await answer.text(), /<html lang="en" data-theme="dark">/);
});

test('a button probes the server of a listing; the page shows when and why, and when it can be probed again', async (t) => {
  const server = await startProbed([{ name: 'tide_at', call: () => textResult('1') }]);
  t.after(server.close);
  await saveAll(world.database, [listing('glama', 'ann/tides', remote(server.url))]);
  const path = '/registry/glama/ann/tides';
  const press = (origin = 'http://localhost:8080') =>
    world.fetch(path, {
      method: 'POST',
      body: 'do=probe',
      headers: { ...HOST, accept: BROWSER, 'content-type': 'application/x-www-form-urlencoded', origin },
    });
  assert.match((await open(path)).html, /Check now<\/button> <span class="fine">Not checked yet\./);
  assert.equal((await press('https://evil.example')).status, 403);
  assert.deepEqual(server.requests, [], 'no other site can press it');
  const pressed = await press();
  const answer = `${path}?done=listing_probed`;
  assert.deepEqual([pressed.status, pressed.headers.get('location')], [303, answer]);
  const { html } = await open(answer);
  assert.match(html, /role="status">Checked <time[^>]+>[^<]+<\/time>: <bdi>The server responded with 1 tool\.<\/bdi>/);
  assert.match(html, /Last checked <time/);
  const again = await press();
  assert.equal(again.status, 429);
  assert.match(await again.text(), /role="alert"><p dir="auto">The server was asked at [^<]+ Ask again after /);
  // Nothing to ask: no address is known.
  assert.doesNotMatch((await open('/registry/smithery/forecasts')).html, /value="probe"/);
});

test('the home page without pictures takes at most 60 KB compressed, 35 KB of which is the font, and its assets are cached permanently', async () => {
  const packed = { 'accept-encoding': 'br', accept: BROWSER, ...HOST };
  const { html } = await open('/');
  let bytes = zlib.brotliCompressSync(html).byteLength;
  const files = new Set(
    [...html.matchAll(/(?:href|src)="(\/-\/[\w-]{12}\/[^"#]+)[#"]/g)].map((match) => match[1] as string),
  );
  assert.ok(files.size >= 4);
  for (const file of files) {
    const answer = await world.fetch(file, { headers: packed });
    if (file.endsWith('.css')) assert.equal(answer.headers.get('content-encoding'), 'br', file);
    assert.match(answer.headers.get('cache-control') ?? '', /immutable/);
    if (!file.endsWith('.png')) bytes += (await answer.arrayBuffer()).byteLength;
  }
  assert.ok(bytes <= 60 * 1_024, `${bytes} bytes`);
  const old = await world.fetch('/-/abcdefghijkl/site.css', { headers: packed });
  assert.deepEqual([old.status, old.headers.get('cache-control')], [200, 'no-cache']);
  assert.equal((await world.fetch('/-/abcdefghijkl/..%2fsession.ts')).status, 404);
});
