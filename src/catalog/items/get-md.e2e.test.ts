import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { listing } from '#test/fakes/fault-server.ts';
import { verification } from '#test/verification.ts';
import { itemMdReply } from './get-md.ts';
import type { Listing } from './item.ts';
import { detailOf } from './item-detail.ts';
import { contentOf } from './listing-row.ts';
import { type Ran, withoutProbe } from './runnable.ts';

const VERIFIED = {
  ...verification({ level: 'ran', looked_at: ['record', 'runs'], checked_at: null }),
  receipts: 3,
  findings: [],
  evidence: null,
};

const CHANGE = {
  changed_at: '2026-03-01T00:00:00.000Z',
  from_version: '1.0.0',
  version: '2.0.0',
  added: [],
  removed: [],
  renamed: [],
  changed: [],
  omitted: 0,
};

function rendered(more: Partial<Listing>, id = 'a/b', ran: Ran = withoutProbe('unsupported', 'So it is.')): string {
  const time = '2026-03-01T00:00:00.000Z';
  const state = {
    seq: 1,
    changed_at: time,
    first_seen_at: time,
    last_seen_at: time,
    seen_run: 'r',
    missed_runs: 0,
    removed_at: null,
    taken_down: null,
  };
  return itemMdReply(detailOf({ ...contentOf(listing('glama', id, more)), ...state }, ran, VERIFIED)).body as string;
}

test('200: shows title, icon, status and versions with their dates, all escaped', () => {
  const text = rendered({
    facts: {
      title: 'A *bold* title',
      icons: [{ src: 'https://a.example/i.png', sizes: ['48x48'] }],
      status: { status: 'deprecated', message: 'Use <b>', changed_at: '2026-02-01T00:00:00Z' },
      versions: [{ version: '2.0', published_at: '2026-01-01', changes: 'Faster\n# Not a heading' }],
    },
  });
  assert.match(text, /^- Title: A \\\*bold\\\* title$/m);
  assert.match(text, /^- Icons: \[image\]\(<https:\/\/a\.example\/i\.png>\) `48x48`$/m);
  assert.match(text, /^- Status: deprecated since 2026-02-01T00:00:00Z: Use (?:\\<|&lt;)b/m);
  assert.match(text, /^- `2\.0`, 2026-01-01: Faster/m);
  assert.doesNotMatch(text, /^# Not a heading/m);
});

test('200: shows known fields, and omits those that the provider did not report', () => {
  const text = rendered({
    description: 'Finds *things*.',
    homepage: 'https://a.example/x',
    stars: 7,
    downloads: 9,
    reported: { stars: true, downloads: false, updated_at: false },
    install: { command: 'npx ```` x' },
  });
  assert.match(text, /^# name of a\/b\n\nFinds \\\*things\\\*\.\n\n- Provider: `glama`\n- Id: `a\/b`\n/);
  assert.match(text, /- Stars: 7\n/);
  assert.match(text, /- Verification: ran \(3 receipts\); examined: record, runs\n/);
  assert.match(text, /- Runs now: unsupported \(So it is\.\)\n/);
  assert.doesNotMatch(text, /Downloads|Updated/);
  assert.match(text, /\n## Install\n\n`````json\n\{\n/);
  assert.match(text, /\(<\/api\/marketplace\/registry\/glama\/a\/b>\)\n$/);
});

test('200: shows what a server declares about its tools, and how they changed', () => {
  const text = rendered({}, 'a/b', {
    ...withoutProbe('ok', 'It responded.'),
    tools: [
      { name: 'tide', title: '', description: 'Tides.', input_schema: null, annotations: { readOnlyHint: true } },
      { name: 'moor', title: '', description: '', input_schema: null },
    ],
    tool_changes: [
      { ...CHANGE, removed: ['wave'], renamed: [{ from: 'tides', to: 'tide' }], omitted: 4 },
      { ...CHANGE, from_version: '1.0.0', version: '1.0.0', changed: [{ name: 'tides', parts: ['input_schema'] }] },
    ],
  });
  assert.match(text, /^- `tide` \(read-only\): Tides\.\n- `moor`$/m);
  assert.match(text, /, 1\.0\.0 to 2\.0\.0: removed `wave`; renamed `tides` to `tide`; 4 more$/m);
  assert.match(text, /, 1\.0\.0: changed `tides` \(input_schema\)$/m);
});

test('200: no listing can add headings, list items, links or HTML', () => {
  const reader = new MarkdownIt({ html: true, linkify: false });
  const shape = (text: string) => {
    const blocks = reader.parse(text, {});
    const inlines = blocks.flatMap((block) => block.children ?? []);
    const links = inlines.filter((inline) => inline.type === 'link_open').map((inline) => inline.attrGet('href'));
    const count = (type: string) => blocks.filter((block) => block.type === type).length;
    const html = [...blocks, ...inlines].filter((block) => block.type.startsWith('html')).length;
    return {
      headings: count('heading_open'),
      items: count('list_item_open'),
      quotes: count('blockquote_open'),
      html,
      links,
    };
  };
  const pieces = [
    '\n# x',
    '\n- y',
    '[a](http://b.c)',
    '<img src=x>',
    '```',
    '\n\n',
    '`',
    '> q',
    '~~~',
    '---',
    '\u{202E}',
    'a',
  ];
  const hostile = fc
    .array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 8 })
    .map((parts) => `z${parts.join('')}`);
  fc.assert(
    fc.property(hostile, hostile, hostile, (name, description, id) => {
      const text = rendered(
        { name, description, author: description, tags: [name], install: { [name]: description } },
        id,
        {
          ...withoutProbe(null, description),
          tools: [{ name, title: '', description, input_schema: null, annotations: { readOnlyHint: true } }],
          tool_changes: [{ ...CHANGE, version: name, added: [name], changed: [{ name, parts: ['description'] }] }],
        },
      );
      const { links, ...counts } = shape(text);
      assert.deepEqual(counts, { headings: 4, items: 11, quotes: 0, html: 0 });
      assert.equal(links.length, 1);
    }),
  );
});
