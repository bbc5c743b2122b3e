import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { capabilityBuilder } from './capability-builder.ts';
import { readCapability, readMark } from './capability-segment.ts';
import type { CapabilityDocument } from './document.ts';
import { isOneEdit, knownLooks, lookOf, resemblanceOf } from './lookalikes.ts';

const TEXT = 'Searches the weather forecast of any city and says whether an umbrella is needed.';

interface Fields {
  name: string;
  author?: string;
  id?: string;
  description?: string;
  provider?: string;
  listing_type?: 'skill' | 'server';
}

function look({ name, author = 'eve', id = `${author}/${name}`, description = TEXT, ...more }: Fields) {
  const { provider = 'clawhub', listing_type = 'skill' } = more;
  const { wire } = documentFrom(1, { name, author, description, listing_type });
  return lookOf({
    ...wire,
    sources: [{ provider: provider as 'clawhub', external_id: id, version: '', homepage: '', updated_at: null }],
  });
}

const known = knownLooks([
  look({ name: 'Summarize', author: 'steipete' }),
  look({ name: 'Umbrella Finder', author: 'ana' }),
  look({ name: 'pdf', author: 'anthropics', id: 'anthropics/skills/pdf', provider: 'skills-sh' }),
]);

const howOf = (fields: Fields): string | null => resemblanceOf(look(fields), known)?.how ?? null;

const CASES: [why: string, how: string | null, fields: Fields][] = [
  ['a letter of another script', 'confusable', { name: 'Summаrize', description: 'Other words altogether.' }],
  ['a letter that looks alike, with the text', 'confusable', { name: 'summarlze' }],
  ['a letter too many', 'one_edit', { name: 'Umbrella Finderr' }],
  ['two letters swapped', 'one_edit', { name: 'Umbrella Fidner' }],
  ['a letter of its id, under another name', 'one_edit', { name: 'Rain help', id: 'eve/umbrela-finder' }],
  ['the same name and text', 'copied', { name: 'umbrella-finder' }],
  ['the name and more', 'copied', { name: 'Umbrella Finder', id: 'eve/umbrella-finder-8x2kq' }],
  ['the account of another', 'namespace', { name: 'anthropics/skill-pdf', description: '' }],
  ['a scope of another', 'namespace', { name: '@Anthropics/pdf', description: '' }],
  ['its own account', null, { name: 'eve/umbrella', description: '' }],
  ['the same author', null, { name: 'Umbrella Finderr', author: 'ana' }],
  ['the same account with another spelling', null, { name: 'Umbrella Finderr', author: 'io.github.ana' }],
  [
    'a similar name with another text',
    null,
    { name: 'Umbrella Binder', description: 'Binds umbrellas into albums with glue.' },
  ],
  [
    'the same name with another text',
    null,
    { name: 'Umbrella Finder', description: 'Finds lost umbrellas in trains and offices.' },
  ],
  ['a similar name without a text', null, { name: 'Umbrella Binder', description: '' }],
  [
    'another version',
    null,
    { name: 'Umbrella Finder 2', description: 'Rain and shine by the hour, for sailors and anglers.' },
  ],
  ['another type', null, { name: 'Umbrella Finderr', listing_type: 'server' }],
  ['no author', null, { name: 'Umbrella Finderr', author: '', id: '1a2b3c4d5e', provider: 'glama' }],
];

test('names made to look like much used ones of others are told from similar names', () => {
  for (const [why, how, fields] of CASES) assert.equal(howOf(fields), how, why);
  const found = resemblanceOf(look({ name: 'summarlze' }), known);
  assert.deepEqual([found?.name, found?.author], ['Summarize', 'steipete']);
});

test('one edit: a character more, less or other, or two swapped; digits are versions', () => {
  const pairs = ['weather', 'weathre', 'weathers', 'wether', 'wexther', 'wexthxr', 'weather2', ''];
  assert.deepEqual(
    pairs.map((name) => isOneEdit(name, 'weather')),
    [false, true, true, true, true, false, false, false],
  );
});

test('an index marks rows by what is much used in it, in what changed since, too, and never what has a costly signal', () => {
  const all = Array.from({ length: 40 }, (_, at) =>
    documentFrom(at, { name: `Thing ${at}`, author: `author-${at}`, downloads: at, providers: ['clawhub'] }),
  );
  const original = documentFrom(50, {
    name: 'Umbrella Finder',
    description: TEXT,
    author: 'ana',
    downloads: 90_000,
    providers: ['clawhub'],
  });
  const fake = (number: number, more: object = {}): CapabilityDocument =>
    documentFrom(number, { name: 'Umbrella Findr', description: TEXT, author: 'eve', providers: ['clawhub'], ...more });
  const builder = capabilityBuilder();
  for (const document of [...all, original, fake(51), fake(52, { level: 'used' })]) builder.add(document);
  const base = builder.finish();
  const marks = (segment: typeof base.segment) =>
    Array.from(
      { length: segment.count },
      (_, row) => [readCapability(segment.list, row).id.slice(-2), readMark(segment, row)] as const,
    )
      .filter(([, mark]) => mark !== null)
      .map(([id, mark]) => [id, mark?.id.slice(-2), mark?.how]);
  assert.deepEqual(marks(base.segment), [['51', '50', 'one_edit']]);
  const delta = capabilityBuilder();
  delta.add(fake(53));
  assert.deepEqual(marks(delta.finishDelta(base)), [['53', '50', 'one_edit']]);
});
