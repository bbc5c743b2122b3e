import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brotliCompressSync, constants } from 'node:zlib';
import { DETAIL_EXAMPLE } from '#catalog/items/examples.ts';
import { renderMarkdown } from '#core/markdown/render.ts';
import { processTimeOf } from '#test/cpu-time.ts';
import type { ItemDetail, ListingDetail } from '../../sdk/src/index.ts';
import { tabsOf } from '../pages/listing-tabs.ts';
import type { Visit } from '../server/page.ts';
import { type Known, type ServerInput, titleOf } from './known.ts';
import { listingView } from './listing-page.ts';
import { actionOf, mayProbe, runStateOf } from './run-ability.ts';

/** The page of a listing: what it says about running it, and what it costs to make. */

const AT = '2026-04-14T06:00:00.000Z';

const INPUT: Omit<ServerInput, 'name' | 'required' | 'secret'> = {
  in: 'env',
  description: 'Of your account.',
  default: '',
  format: 'text',
  choices: [],
  repeated: false,
  hint: '',
};

const ITEM: ItemDetail = {
  ...DETAIL_EXAMPLE,
  name: 'io.github.ana/tides',
  title: '',
  external_id: 'io.github.ana/tides',
  versions: [],
  repository: 'https://github.com/ana/tides',
  verification: { ...DETAIL_EXAMPLE.verification, level: 'checked' },
  installs: { command: '', name: '', clients: [] },
  servers: [{ remote: 0, package: null, title: 'https://tides.example/mcp', inputs: [], hosts: [] }],
  tools: null,
};

const knownOf = (item: Partial<ItemDetail>, more: Partial<Known> = {}): Known => ({
  path: '/registry/mcp-registry/io.github.ana/tides',
  item: { ...ITEM, ...item },
  listing: null,
  version: null,
  skill: null,
  proof: null,
  has_model: false,
  has_probes: true,
  ...more,
});

type Reason = ItemDetail['runnable']['reason'];
const with_reason = (reason: Reason, detail = '') => ({ runnable: { ...ITEM.runnable, reason, detail } });
const secret = { ...INPUT, name: 'TIDES_KEY', required: true, secret: true };
const server = (inputs: ServerInput[]) => ITEM.servers.map((choice) => ({ ...choice, inputs }));
const INSTALLS = { installs: { command: 'npx tides', name: 'tides', clients: [] } };

const RAN = { ...DETAIL_EXAMPLE.verification, level: 'ran' } as const;

const STATES: readonly [item: Partial<ItemDetail>, state: string | undefined, action: string][] = [
  [with_reason('ok'), 'Runs now', 'Connect'],
  [with_reason('auth_needed'), 'Needs sign-in', 'Connect'],
  [{ ...with_reason('auth_needed'), servers: server([secret]) }, 'Needs a key', 'Connect'],
  [
    { ...with_reason('missing_env'), servers: server([{ ...secret, secret: false }]) },
    'Needs your settings',
    'Connect',
  ],
  [with_reason('unreachable'), 'Not answering', 'See what it needs'],
  [{ ...with_reason('failed'), ...INSTALLS }, 'Not answering', 'Add to a client'],
  [{ ...with_reason('unsupported'), ...INSTALLS }, 'Install only', 'Add to a client'],
  [{ ...with_reason('unsupported'), servers: [] }, undefined, 'See what it needs'],
  // Nothing is claimed about what was never tried.
  [with_reason('startable'), undefined, 'Connect'],
  [with_reason(null), undefined, 'Connect'],
  [
    { ...with_reason(null), listing_type: 'skill', execution_class: 'prompt', servers: [] },
    'Needs a model',
    'See what it needs',
  ],
  [
    { ...with_reason(null), listing_type: 'harness', execution_class: 'scripted', servers: [], verification: RAN },
    'Needs a model',
    'See what it needs',
  ],
  [{ ...with_reason(null), listing_type: 'skill', execution_class: 'scripted', servers: [] }, undefined, 'Run'],
];

test('the state follows from evidence, and the action is one that can succeed', () => {
  for (const [item, state, action] of STATES) {
    const known = knownOf(item);
    assert.deepEqual([runStateOf(known)?.words, actionOf(known).words], [state, action], JSON.stringify(item));
  }
});

test('only a server at an address that needs no values can be probed by a button', () => {
  const probed = { ...ITEM.runnable, checked_at: AT };
  const never = { ...ITEM.runnable, checked_at: null };
  const packaged = ITEM.servers.map((choice) => ({ ...choice, remote: null, package: 0 }));
  for (const [item, more, is] of [
    [{ runnable: probed }, {}, true],
    [{ runnable: { ...never, reason: null } }, {}, true],
    [{ runnable: { ...never, reason: 'missing_env' } }, {}, false],
    [{ runnable: probed, servers: packaged }, {}, false],
    [{ runnable: probed, servers: [] }, {}, false],
    [{ runnable: probed, execution_class: 'prompt' }, {}, false],
    [{ runnable: probed }, { has_probes: false }, false],
  ] as [Partial<ItemDetail>, Partial<Known>, boolean][])
    assert.equal(mayProbe(knownOf(item, more)), is, JSON.stringify([item, more]));
});

test('the title is the known name, and the technical name is below it', () => {
  assert.deepEqual(titleOf(knownOf({})), { title: 'tides', technical: 'io.github.ana/tides' });
  assert.deepEqual(titleOf(knownOf({ title: 'Tides of Ana' })), {
    title: 'Tides of Ana',
    technical: 'io.github.ana/tides',
  });
  // A last part that many have says nothing without its owner.
  assert.equal(titleOf(knownOf({ name: 'io.github.ana/mcp-server', external_id: 'x' })).title, 'ana/mcp-server');
});

const visitOf = (query: string, renderMarkdown: (text: string) => Promise<string>): Visit =>
  ({ query: new URLSearchParams(query), site: { now: () => Date.parse(AT), renderMarkdown }, user: null }) as never;

async function pageOf(
  known: Known,
  query = '',
  render = async (text: string) => renderMarkdown(text),
): Promise<string> {
  const visit = visitOf(query, render);
  const page = { known, tabs: tabsOf(visit, known), json: '/api/x', markdown: '/api/x/md' };
  const view = await listingView(visit, page);
  return 'content' in view ? view.content.html : assert.fail('not a page');
}

test('a README comes below the title, and its links lead to the web or to its repository', async () => {
  const readme =
    '# Tides\n\n### Use\n\n[a](docs/a.md) [b](#use) [c](https://x.example/) ![d](e.png)\n\n```js\nlet x\n```\n';
  const html = await pageOf(knownOf({ readme }));
  assert.match(html, /<h2>Use<\/h2>/);
  assert.match(
    html,
    /<a href="https:\/\/github\.com\/ana\/tides\/blob\/HEAD\/docs\/a\.md" rel="nofollow ugc noopener">a<\/a> b <a href="https:\/\/x/,
  );
  assert.match(html, /<pre tabindex="0"><code class="language-js"><span class="k">let<\/span>/);
  assert.match(await pageOf(knownOf({ readme, repository: '' })), /<p>a b <a href="https:\/\/x/);
});

test('a listing without a README shows what is known, and how to learn more', async () => {
  const html = await pageOf(knownOf({ servers: server([secret]) }));
  assert.match(html, /aria-current="page">Overview/);
  assert.match(
    html,
    /Its tools are not known yet\.<\/strong> No source lists them, and this service has not started it\. You will see them when you connect/,
  );
  assert.match(html, /What you need to connect.*1 secret.*TIDES_KEY/s);
  assert.match(html, /Read it at <a href="https:\/\/github\.com\/ana\/tides"/);
});

test('a tool has a form and JSON of its arguments, and no Try where calls cannot succeed', async () => {
  const input_schema = {
    type: 'object',
    required: ['port'],
    properties: { port: { type: 'string', default: 'Oslo' } },
  };
  const tools = [
    {
      name: 'tide',
      title: 'Tide',
      description: 'Of a <b>port</b>.',
      input_schema,
      annotations: { readOnlyHint: true, openWorldHint: true },
    },
    { name: 'moon', title: '', description: '', input_schema: null },
  ];
  const html = await pageOf(knownOf({ tools }), 'tab=tools');
  assert.match(html, /action="\/runs\/new\?ref=listing[^"]*&amp;tool=tide"[\s\S]*name="in\.port"[\s\S]*Try it/);
  assert.match(html, /As JSON[\s\S]*&quot;port&quot;: &quot;Oslo&quot;/);
  assert.match(html, /href="[^"]*\?tab=tools&tool=moon#tool-moon"/);
  assert.match(html, /Read-only<\/span>.*Safe to retry<\/span>.*Reaches other services<\/span>/s);
  const other = await pageOf(knownOf({ tools, ...with_reason('unreachable') }), 'tab=tools&tool=tide');
  assert.doesNotMatch(other, /Try it/);
  assert.match(other, /Add the server to a client/);
});

test('changes of tools are on the tab of versions, also where no version is known', async () => {
  const change = { changed_at: AT, added: [], removed: ['wave'], renamed: [], changed: [], omitted: 0 };
  const renamed = [{ from: '<b>', to: 'tide' }];
  const tool_changes = [{ ...change, from_version: '1.0.0', version: '2.0.0', renamed }];
  const html = await pageOf(knownOf({ tool_changes }), 'tab=versions');
  assert.match(html, /1\.0\.0<\/bdi><\/code> to <code><bdi>2\.0\.0/);
  assert.match(html, /Removed<\/strong> <code><bdi>wave.*Renamed<\/strong> <code><bdi>&lt;b&gt;<\/bdi><\/code> to/s);
  const unversioned = { version: '', tool_changes: [{ ...change, from_version: '', version: '' }] };
  assert.match(await pageOf(knownOf(unversioned), 'tab=versions'), /Not versioned/);
});

test('a skill of a provider shows what it declares, and its files open where they are text', async () => {
  const file = { size: 20, sha256: null, script: true };
  const files = [
    { ...file, path: 'scripts/tie.py' },
    { ...file, path: 'mast.png' },
    { ...file, path: 'huge.py', size: 300_000 },
  ];
  const needs = {
    programs: [['curl'], ['brew', '<b>']],
    environment: ['KNOT_KEY'],
    hosts: ['api.knots.example'],
    packages: [{ ecosystem: 'npm' as const, name: 'knots', wanted: '1.2.0' }],
    systems: [],
  };
  const known = knownOf({ listing_type: 'skill', execution_class: 'scripted', servers: [], files, needs });
  const html = await pageOf(known, 'tab=needs');
  assert.match(html, /api\.knots\.example.*curl.*one of .*brew.*&lt;b&gt;.*KNOT_KEY.*knots 1\.2\.0.*from npm/s);
  const list = await pageOf(known, 'tab=files');
  assert.deepEqual(
    [...list.matchAll(/href="[^"]*tab=files&amp;file=([^"]+)"/g)].map(([, path]) => path),
    ['scripts%2Ftie.py'],
  );
});

test('runs that count for no level are not called none', async () => {
  const version = { version: '1.0.0', sha256: 'a', level: 'listed' as const, levels: [], callers: 1, last_run_at: AT };
  const proof = { subject: 'x', receipts: [] };
  const trusting = (runs: number, completed: number) =>
    pageOf(knownOf(with_reason(null), { proof: { ...proof, versions: [{ ...version, runs, completed }] } }));
  assert.match(await trusting(1, 1), /It has run here\..*1 of 1 run succeeded/s);
  assert.match(await trusting(3, 0), /No run here succeeded\..*0 of 3 runs succeeded/s);
  assert.match(await pageOf(knownOf(with_reason(null))), /No account has run it on this service/);
});

test('the first page of a long listing takes at most 24 KB, compressed', async () => {
  // Words that compress like those of people: repeated, in another order each time.
  const words = 'the tide of a port is read from its file and sent to models by call name at each hour'.split(' ');
  let seed = 1;
  const next = (): string => {
    seed = (seed * 48_271) % 2_147_483_647;
    return `${words[seed % words.length]}${seed % 5 === 0 ? seed.toString(36).slice(0, 4) : ''}`;
  };
  const readme = Array.from({ length: 1_200 }, () => Array.from({ length: 12 }, next).join(' ')).join('\n\n');
  const html = await pageOf(knownOf({ readme: readme.slice(0, 65_536) }));
  assert.match(html, /The rest of this text is not shown here\. <a href="[^"]+\/md"/);
  const { length } = brotliCompressSync(html, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });
  assert.ok(length <= 24_576, `${length} bytes`);
});

test('settings of the operator are not part of a reason', async () => {
  const detail = 'No registry is configured. An operator must set CAPSTAN_OCI_REGISTRIES.';
  const html = await pageOf(knownOf({ ...with_reason('unsupported', detail), ...INSTALLS }), 'tab=needs');
  assert.match(html, /No registry is configured\./);
  assert.doesNotMatch(html, /CAPSTAN_/);
});

const SCHEMA = {
  type: 'object',
  required: ['a'],
  properties: Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [
      at === 0 ? 'a' : `p${at}`,
      { type: 'string', description: 'Some <b>words</b> about it. '.repeat(10) },
    ]),
  ),
};

/** Far more than the service stores. */
function huge(times: number): Known {
  const text = 'Some [words](a/b.md) and <b>more</b> of them, `code` too.\n\n'.repeat(9_000 * times);
  const tools = Array.from({ length: 800 * times }, (_, at) => ({
    name: `tool_${at}`,
    title: '',
    description: 'Reads tides & more. '.repeat(50),
    input_schema: SCHEMA,
  }));
  const versions = Array.from({ length: 300 * times }, (_, at) => ({
    version: `1.${at}.0`,
    published_at: AT,
    changes: 'Fixes <things>. '.repeat(60),
  }));
  const inputs = Array.from({ length: 300 * times }, (_, at) => ({ ...secret, name: `KEY_${at}` }));
  const finding = {
    rule: 'x',
    severity: 'warning',
    place: 'README.md:1',
    detail: 'a<'.repeat(500),
    overruled: null,
  } as const;
  const verification = { ...ITEM.verification, findings: new Array(1_000 * times).fill(finding) };
  const members = new Array(100 * times).fill({
    id: 'x',
    provider: 'glama',
    external_id: 'x'.repeat(500),
    name: 'tides',
    description: 'Tides <b>. '.repeat(100),
    version: '1',
    author: '',
    license: '',
    homepage: '',
    repository: '',
    is_copy: true,
    downloads: 1,
    stars: 1,
    updated_at: AT,
    confidence: 1,
    evidence: [],
    runnable: null,
    links: { self: '/api/x' },
  });
  const listing = {
    ...ITEM,
    id: 'x',
    members,
    conflicts: [],
    sources: [],
    status: undefined,
    versions: undefined,
    verification,
    publisher: null,
    hot_score: null,
  };
  const files = Array.from({ length: 1_000 * times }, (_, at) => ({
    path: `a/${at}.py`,
    size: at,
    sha256: null,
    script: true,
  }));
  return knownOf(
    { readme: text, tools, versions, verification, files, servers: server(inputs) },
    { listing: listing as unknown as ListingDetail },
  );
}

/** Of processor time; a request may hold the loop for 50 ms. */
const MOST_MS = 50;
const TABS = ['', 'tools', 'tools&offset=750', 'files', 'versions', 'needs', 'security', 'proof', 'sources'];

test('no tab of a huge listing holds the loop for 50 ms, and twice as much takes no longer than the limit', async () => {
  for (const tab of TABS)
    for (const times of [1, 2]) {
      const known = huge(times);
      // Rendered in a worker thread, and cached there.
      const texts = new Map<string, string>();
      const render = async (text: string): Promise<string> => {
        if (!texts.has(text)) texts.set(text, renderMarkdown(text));
        return texts.get(text) as string;
      };
      const html = await pageOf(known, `tab=${tab}`, render);
      const timeMs = await processTimeOf(() => pageOf(known, `tab=${tab}`, render), MOST_MS / 2);
      assert.ok(timeMs < MOST_MS, `${tab || 'readme'}, ${times} times: ${timeMs.toFixed(1)} ms`);
      assert.ok(html.length < 900_000, `${tab || 'readme'}: ${html.length} characters`);
    }
});
