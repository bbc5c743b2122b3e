import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Share } from '#core/fair-queue/share.ts';
import { createWorkerPool, type Outcome, type WorkerPool } from '#core/workers/worker-pool.ts';
import { heldTimeOf } from '#test/cpu-time.ts';
import { growing, pumpOf, pumpsOf } from '#test/growth.ts';
import { renderMarkdown } from './render.ts';
import { createRenderKept, MOST_RENDERED } from './render-kept.ts';

const reader: Share = { user_id: null, address: '203.0.113.1' };
const LONG = `# Title\n\n${'Some words. '.repeat(200)}`;

/** Counts the requests to a real pool. */
function countedPool() {
  const pool = createWorkerPool();
  after(pool.close);
  const shares: Share[] = [];
  const run: WorkerPool['run'] = (kind, request, order) => {
    shares.push(order.share);
    return pool.run(kind, request, order);
  };
  return { run, shares };
}

function outcomes(outcome: Outcome<never>) {
  let runs = 0;
  const run = async () => {
    runs += 1;
    return outcome;
  };
  return { run, runs: () => runs };
}

test('a text is rendered once in a worker thread, on behalf of the reader, and cached', async () => {
  const pool = countedPool();
  const render = createRenderKept({ pool });
  const [first, beside] = await Promise.all([render(LONG, reader), render(LONG, reader)]);
  assert.equal(first, renderMarkdown(LONG));
  assert.equal(beside, first);
  assert.equal(await render(LONG, reader), first);
  assert.deepEqual(pool.shares, [reader]);
});

test('the cache of rendered texts evicts the least recently used one', async () => {
  const pool = countedPool();
  const render = createRenderKept({ pool, most_kept_bytes: 8_000 });
  for (const text of [LONG, `${LONG}!`, LONG]) await render(text, reader);
  assert.equal(pool.shares.length, 3);
});

test('a short text is rendered without a worker thread', async () => {
  const pool = countedPool();
  assert.equal(await createRenderKept({ pool })('*a*', reader), '<p><em>a</em></p>\n');
  assert.deepEqual(pool.shares, []);
});

test('a text that cannot be rendered is shown escaped, with the reason', async () => {
  const hostile = `<script>alert("1")</script>${'![a'.repeat(1_000)}`;
  const shown = /<pre><code>&lt;script&gt;alert\(&quot;1&quot;\)&lt;\/script&gt;!\[a/;
  for (const status of ['timeout', 'out_of_memory', 'crashed'] as const) {
    const pool = outcomes({ status });
    const render = createRenderKept({ pool });
    assert.match(await render(hostile, reader), /takes too long to format/);
    assert.match(await render(hostile, reader), shown);
    assert.equal(pool.runs(), 1);
  }
  for (const status of ['busy', 'over_budget'] as const) {
    const pool = outcomes({ status, retry_after_s: 1 });
    const render = createRenderKept({ pool });
    assert.match(await render(hostile, reader), /Reload the page/);
    assert.match(await render(hostile, reader), shown);
    // Rendering may succeed another time, so the failure is not cached.
    assert.equal(pool.runs(), 2);
  }
  const pool = outcomes({ status: 'timeout' });
  assert.match(await createRenderKept({ pool })('a'.repeat(MOST_RENDERED + 1), reader), /too long to format/);
  assert.equal(pool.runs(), 0);
});

test('a README with 198 KB of image starts does not block the event loop', async () => {
  const render = createRenderKept({ pool: countedPool() });
  await render(LONG, reader);
  // Another text each time, since a rendered one is cached.
  let images = 66_000;
  const heldMs = await heldTimeOf(() => render('![a'.repeat(images++), reader), { tries: 4 });
  assert.ok(heldMs < 100, `${heldMs} ms`);
});

const INLINE = ['![a', '](', '*', '`'];
const BLOCKS = [
  '> ',
  '- ',
  '1. ',
  '  - ',
  '* a\n',
  '\n> ',
  '[a]: b\n',
  '[a]: <b> "\n',
  '|a',
  'a|b\n',
  '|-|-|\n',
  '```\n',
];
const OTHERS = [
  '[a](',
  '<p ',
  '<p>\n',
  '<!-- ',
  '_a ',
  '<a ',
  '\\',
  '[',
  ']',
  '![',
  '[![',
  '[][',
  '**a *',
  '`` ',
  '(',
  '"',
  '    ',
  '# ',
  'a\n=\n',
  '\n',
  '--\n',
];

test('rendering time grows linearly with the length of the text', () => {
  const pumps = [...pumpsOf(INLINE), ...[...BLOCKS, ...OTHERS].map((piece) => pumpOf(piece))];
  assert.deepEqual(growing(renderMarkdown, pumps), []);
});
