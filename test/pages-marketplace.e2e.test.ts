import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openMarketplacePages } from './marketplace-pages.ts';

/** The marketplace's pages as they are without scripts. */

const stand = await openMarketplacePages();
after(() => stand[Symbol.asyncDispose]());
const { open, merged, skill, unpublished, taken_down, publisher, account, world } = stand;
const HOST = { host: 'localhost:8080' };

test('every page works without scripts, and all its links lead to existing pages', async () => {
  const seen = new Set<string>();
  for (const path of stand.paths) {
    const { status, html } = await open(path);
    assert.equal(status, 200, path);
    assert.doesNotMatch(
      html,
      / style=|<style|<script(?! type="(?:module" src="\/-\/|application\/ld\+json">))|<[^>]* on\w+="/,
      path,
    );
    assert.equal(html.match(/<h1[ >]/g)?.length, 1, `${path} has one headline`);
    for (const [, to] of html.matchAll(/<a [^>]*href="(\/[^"#]*)/g)) seen.add((to as string).replaceAll('&amp;', '&'));
  }
  // Others' pages have their own tests; what was unpublished says so.
  for (const path of [...seen].filter((text) => /^\/(?:marketplace|publishers|api\/marketplace)/.test(text))) {
    const { status } = await open(path);
    assert.ok(status < 400 || path.endsWith(unpublished), `${path} answers ${status}`);
  }
});

test('text of authors and operators is escaped, and external links have rel="nofollow ugc noopener"', async () => {
  for (const path of stand.paths) {
    const { html } = await open(path);
    assert.doesNotMatch(html, /<script>|<img|href="javascript:|<i>keys|2 <b>|in <b>/, path);
    for (const [link] of html.matchAll(/<a [^>]*href="https?:[^>]*>/g))
      assert.match(link, /rel="nofollow ugc noopener"/, link);
  }
  const { html } = await open(`/marketplace/${skill}`);
  assert.match(html, /&lt;script&gt;alert\(1\)/);
  assert.match(html, /<a href="https:\/\/example\.org" rel="nofollow ugc noopener">web<\/a>/);
  assert.match(html, /<h2>Steps<\/h2>/, 'right below the headline of the page');
  assert.match(html, /Flagged\. Read the reason before you run it.*It sends &lt;i&gt;keys/s);
  assert.match(html, /Can I trust it\? <span class="label"><span class="tag bad">.*?Flagged<\/span>/);
  assert.doesNotMatch(html, /class="level"|<li class="yes">(?:(?!<\/li>).)*Passed static/, 'no praise under a flag');
});

test('a search URL shows highlights, a spelling suggestion and filters with counts', async () => {
  const { html } = await open('/marketplace?search=forcasts&utm_source=x');
  assert.match(
    html,
    /Results for <b><bdi>forecasts<\/bdi><\/b>\. <a href="\/marketplace\?search=forcasts&amp;as_typed=1">/,
  );
  assert.match(html, /<mark>Forecasts<\/mark>/);
  assert.match(html, /<option value="relevance" selected>Relevance<\/option>/);
  assert.match(html, /<input type="hidden" name="search" value="forcasts">\n<label for="sort">/);
  const typed = await open('/marketplace?search=forcasts&as_typed=1');
  assert.match(typed.html, /Nothing found/);
  assert.match(typed.html, /as typed\. <a href="\/marketplace\?search=forcasts">Correct and translate words too<\/a>/);
  const spanish = await open('/marketplace?search=comparar+json');
  assert.match(spanish.html, /Results for <b><bdi>compare json<\/bdi><\/b>/);
  const filtered = await open('/marketplace?search=tool&provider=smithery&sort=name&offset=25');
  assert.match(filtered.html, /26 to 50 of 60/);
  assert.match(filtered.html, /<a href="\/marketplace\?search=tool&amp;sort=name" rel="nofollow" aria-current="true">/);
  assert.match(
    filtered.html,
    /rel="next" href="\/marketplace\?search=tool&amp;provider=smithery&amp;sort=name&amp;offset=50"/,
  );
  assert.match((await open('/marketplace?search=tool')).html, /<bdi>Servers<\/bdi><span>60<\/span>/);
  assert.match((await open('/marketplace?search=qqqqzzzz')).html, /No results\. Try fewer/);
  assert.match(
    filtered.html,
    /<ul class="chips chosen"[^>]*><li><a href="\/marketplace\?search=tool&amp;sort=name" rel="nofollow"><bdi>Smithery<\/bdi>/,
    'what is chosen can be removed above the results',
  );
  const words = (await open('/marketplace?search=count-words')).html;
  assert.match(words, /Publisher confirmed.*License: <\/span><bdi>MIT<\/bdi>.*Version <\/span><bdi>1\.1\.0<\/bdi>/s);
  assert.match(html, /<p id="linking" [^>]*data-island="live"[^>]*>1 listing is still being linked\.<\/p>/);
});

test('the search shows few of each kind with their state, and guides, without scripts', async () => {
  const { html } = await open('/find?search=tool');
  assert.match(html, /<h2 id="in-server">Servers <span>3 of 60<\/span><\/h2>/);
  assert.match(html, /<h2 id="in-skill">Skills <span>\d of \d+<\/span>.*Needs a model/s);
  assert.match(html, /<a href="\/marketplace\?search=tool">See all \d+ results<\/a>/);
  assert.match((await open('/find?search=back+restore')).html, /<h2 id="in-docs">.*<a href="\/docs\/back-up">/s);
  const corrected = (await open('/find?search=forcasts')).html;
  assert.match(
    corrected,
    /Results for <b><bdi>forecasts<\/bdi><\/b>\. <a href="\/marketplace\?search=forcasts&amp;as_typed=1">/,
  );
  assert.match((await open('/find?search=qqqqzzzz')).html, /No results\. Try fewer/);
});

test('a capability of two providers shows its sources, the evidence and differing fields', async () => {
  const { html } = await open(`/marketplace/${merged}?tab=sources`);
  assert.match(html, /href="\/registry\/mcp-registry\/io\.github\.sky\/tides"/);
  assert.match(html, /same repository and name: <code>github\.com\/sky\/tides/);
  assert.match(html, /<dt>version <span class="state warn">.*?<\/svg>differs<\/span><\/dt>/);
  assert.match(html, /<li class="shown"><bdi>1\.0\.0<\/bdi> <span class="label">MCP Registry, shown<\/span>/);
  assert.match(
    html,
    new RegExp(`<link rel="alternate" type="application/json" href="/api/marketplace/listings/${merged}">`),
  );
  const first = await open(`/marketplace/${merged}`);
  assert.match(first.html, /<meta property="og:title" content="tides">/);
  assert.match(first.html, /<h1><bdi>tides<\/bdi><\/h1>\n<p class="technical"><code><bdi>io\.github\.sky\/tides</);
  assert.match(first.html, /Sources disagree on the version/);
  const own = (await stand.ask('GET', `/${merged}`)).body.members.find(
    (member: { id: string }) => member.id !== merged,
  );
  const other = await world.fetch(`/marketplace/${own.id}`, { headers: { ...HOST, accept: 'text/html' } });
  assert.deepEqual([other.status, other.headers.get('location')], [308, `/marketplace/${merged}`]);
});

test('a published skill shows install commands with its digest, its files and its versions', async () => {
  const { html } = await open(`/marketplace/${skill}?tab=install`);
  const { body } = await stand.ask('GET', `/${skill}`);
  assert.match(html, /mkdir -p ~\/\.claude\/skills\/count-words &amp;&amp; cd/);
  assert.match(html, new RegExp(`-o assets/a\\.txt \\S+a\\.txt\\?digest=${body.digest}`));
  const versions = await open(`/marketplace/${skill}?tab=versions`);
  assert.ok(versions.html.includes(`/marketplace/${skill}/diff?from=1.0.0&amp;to=1.1.0`));
  assert.match(html, /Needs a model.*<a class="button" [^>]*>.*Add to a client<\/a>/s, 'this service has no model');
  const file = await open(`/marketplace/${skill}/versions/1.1.0/files/assets/a.txt`);
  assert.match(file.html, /<span id="L2">2 &lt;b&gt;<\/span>/);
  assert.equal((await open(`/marketplace/${skill}/versions/1.1.0/files/nothing`)).status, 404);
});

test('the diff page shows the differences between two versions in both directions', async () => {
  const { html } = await open(`/marketplace/${skill}/diff?from=1.0.0&to=1.1.0`);
  assert.match(html, /1 file changed, 1 file added, 1 file removed/);
  assert.match(html, /@@ -1,3 \+1,3 @@<\/span>\n one\n<del>-two<\/del>\n<ins>\+2 &lt;b&gt;<\/ins>\n three\n/);
  assert.match(html, /<code>new\.bin<\/code>.*Binary file/s);
  assert.match((await open(`/marketplace/${skill}/diff?from=1.1.0&to=1.0.0`)).html, /<ins>\+two<\/ins>/);
  assert.equal((await open(`/marketplace/${skill}/diff?from=9.9.9&to=1.0.0`)).status, 404);
});

test('410: a removed capability shows the reason and its versions', async () => {
  const left = await open(`/marketplace/${unpublished}`);
  assert.equal(left.status, 410);
  assert.match(left.html, /Unpublished.*A key was left in &lt;b&gt;.*<dt>1\.0\.0.*sha256:[0-9a-f]{64}/s);
  const down = await open(`/marketplace/${taken_down}`);
  assert.equal(down.status, 410);
  assert.match(down.html, /Taken down.*It sends &lt;i&gt;keys/s);
  const standing = await open(`/marketplace/${taken_down}/standing`);
  assert.equal(standing.status, 200);
  assert.match(standing.html, /taken down<\/span> <strong>malware<\/strong>/);
  assert.equal((await open('/marketplace/01a20249-0000-7000-8000-000000000000')).status, 404);
});

test('a publisher page shows published and removed listings', async () => {
  const { html } = await open(`/publishers/${publisher}`);
  assert.match(html, /<h1><bdi>tidewater-lab<\/bdi><\/h1>/);
  assert.match(html, new RegExp(`href="/marketplace/${skill}"`));
  assert.match(html, /drop-words<\/bdi>.*unpublished/s);
});

test('reports, appeals and claims require a session, and a rejected form keeps its text', async () => {
  const path = `/marketplace/${merged}/report`;
  const away = await world.fetch(path, { headers: { ...HOST, accept: 'text/html' } });
  assert.deepEqual([away.status, away.headers.get('location')], [303, `/signin?to=${encodeURIComponent(path)}`]);
  const send = (body: string, to = path) =>
    world.fetch(to, {
      method: 'POST',
      body,
      headers: {
        ...HOST,
        accept: 'text/html',
        origin: 'http://localhost:8080',
        cookie: `capstan-token=${account.token}`,
      },
    });
  const refused = await send('do=send&kind=nonsense&text=%3Cb%3Eseen');
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /role="alert".*&lt;b&gt;seen<\/textarea>/s);
  assert.match((await open(path, account.token)).html, /<option value="smithery @sky\/tides">smithery: @sky\/tides</);
  const one = await send('do=send&kind=broken&text=seen&listing=smithery+%40sky%2Ftides');
  assert.match(await one.text(), /Report sent/);
  const reports = await world.database.db.selectFrom('capability_reports').select('is_about_listing').execute();
  assert.deepEqual(reports, [{ is_about_listing: 1 }]);
  assert.doesNotMatch((await open(`/marketplace/${skill}/report`, account.token)).html, /Which of its listings/);
  const again = await send('do=send&kind=broken&text=seen');
  assert.equal(again.status, 409);
  assert.match((await open(`/marketplace/${merged}/claim`, account.token)).html, /Start claim/);
  const claim = await (await send('do=claim&method=wallet', `/marketplace/${merged}/claim`)).text();
  assert.match(claim, /data-signatures="text" data-text="I own this capability\.[^"]*Publisher: tidewater-lab/);
  const unsigned = await send(
    `do=verify&claim=${/name="claim" value="([^"]+)"/.exec(claim)?.[1]}`,
    `/marketplace/${merged}/claim`,
  );
  assert.match(await unsigned.text(), /role="alert".*Start claim/s);
  const appeal = await open(`/marketplace/${skill}/appeal`, account.token);
  assert.match(appeal.html, /<option value="[\w-]+">flag, malware: It sends &lt;i&gt;keys/);
});
