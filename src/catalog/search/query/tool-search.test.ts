import assert from 'node:assert/strict';
import { test } from 'node:test';
import { documentFrom } from '#test/capability-documents.ts';
import { growing, pumpsOf } from '#test/growth.ts';
import { sharedInts } from '../index/arrays.ts';
import { setBit } from '../index/bitset.ts';
import { capabilityBuilder } from '../index/capability-builder.ts';
import { buildTools, toolName } from '../index/tool-segment.ts';
import { type Aid, NO_HITS } from './aid.ts';
import { NO_FILTERS } from './filter.ts';
import { searchCapabilities } from './marketplace-search.ts';
import { capabilityOfHit, marketplaceViewOf } from './marketplace-view.ts';
import { toolFinder } from './matching-tool.ts';
import { planTools, searchTools, toolIndexOf, toolPosition } from './tool-search.ts';

const tool = (server: string, name: string, description: string, properties: Record<string, object> = {}) => ({
  server,
  name,
  title: '',
  description,
  input_schema: { type: 'object', properties },
});

const TOOLS = [
  tool('github', 'create_issue', 'Creates a new issue in a repository.', { repo: { description: 'Its owner too.' } }),
  tool('github', 'searchIssues', 'Searches issues and pull requests.'),
  tool('github', 'delete_file', 'Deletes a file from a repository.'),
  tool('mail', 'send', 'Sends a message to a person.', {
    recipient: {},
    body: { description: 'Markdown is allowed.' },
  }),
  tool('weather', 'forecast', 'Gives the weather forecast of a city. Args: city: Name of the city. Returns: an issue.'),
  tool('other', 'keep_part', 'Keeps something.'),
  ...Array.from({ length: 40 }, (_, at) => tool('other', `unrelated_${at}`, 'Prints numbers.')),
];
const index = toolIndexOf(
  [TOOLS.slice(0, 3), TOOLS.slice(3)].map((tools) => ({ segment: buildTools(tools), deleted: null })),
);
function found(text: string, limit = 5) {
  const { hits } = searchTools(index, { text, limit, offset: 0, isWanted: null });
  return hits.map(({ part, row }) => TOOLS[part * 3 + row]?.name);
}

test('tools are found by words of names, descriptions and arguments, in any form, and best first', () => {
  assert.equal(found('search issues')[0], 'searchIssues');
  assert.equal(found('creating an issue')[0], 'create_issue');
  assert.equal(found('recipients')[0], 'send');
  assert.equal(found('markdown')[0], 'send', 'the description of an argument');
  assert.deepEqual(found('github', 3).toSorted(), ['create_issue', 'delete_file', 'searchIssues']);
  assert.equal(found('issue', 9).at(-1), 'forecast', 'what a tool returns says least about it');
});

test('words that requests have in common count little', () => {
  assert.equal(found('could you keep part of the forecast for me, or something like that')[0], 'forecast');
  assert.equal(found('something')[0], 'keep_part', 'without other words they are searched');
});

test('synonyms, misspelled words and other languages are understood', () => {
  assert.equal(found('remove a document from the repo')[0], 'delete_file');
  assert.equal(found('add a bug')[0], 'create_issue');
  assert.equal(found('wether forcast')[0], 'forecast');
  assert.equal(found('天气')[0], 'forecast');
});

test('a request is planned in turns of the event loop, once, with the same result', async () => {
  const fresh = toolIndexOf([{ segment: buildTools(TOOLS), deleted: null }]);
  const ask = (of: typeof fresh) =>
    searchTools(of, { text: 'creat isue in a repositry', limit: 9, offset: 0, isWanted: null });
  let turns = 0;
  const count = (): void => {
    turns++;
    counting = setImmediate(count);
  };
  let counting = setImmediate(count);
  await planTools(fresh, 'creat isue in a repositry');
  const first = turns;
  await planTools(fresh, 'creat isue in a repositry');
  assert.equal(turns, first, 'a known text is not planned again');
  clearImmediate(counting);
  assert.ok(first >= 3, `${first} turns for three words`);
  assert.deepEqual(ask(fresh), ask(toolIndexOf([{ segment: buildTools(TOOLS), deleted: null }])));
});

test('pages continue each other, filters leave out the rest, and tools of deleted capabilities are not found', () => {
  const ask = (limit: number, offset: number) => searchTools(index, { text: 'numbers', limit, offset, isWanted: null });
  const [all, first, second] = [ask(40, 0), ask(15, 0), ask(25, 15)];
  assert.deepEqual([...first.hits, ...second.hits], all.hits);
  assert.equal(all.total_count, 40);
  const isWanted = (part: number) => part === 0;
  assert.equal(searchTools(index, { text: 'issue', limit: 9, offset: 0, isWanted }).total_count, 2);
  const deleted = sharedInts(1);
  setBit(deleted, 0);
  const without = toolIndexOf([{ segment: buildTools(TOOLS.slice(0, 3)), deleted }]);
  const { hits, total_count } = searchTools(without, { text: 'issue', limit: 9, offset: 0, isWanted: null });
  assert.deepEqual([hits.map(({ row }) => row), total_count], [[1], 1]);
});

test('any text and any definition is accepted, and takes time by its length alone', () => {
  for (const text of ['', ' … ', '%_!', '\ud800', '^(a+)+$', '"', '天'.repeat(500), 'a b '.repeat(5_000)]) found(text);
  const odd = { ...tool('\ud800', '\ud800', '\ud800'), input_schema: { properties: { ['__proto__']: 1, a: null } } };
  assert.equal(
    buildTools([odd, { ...odd, input_schema: null }, { ...odd, input_schema: { properties: [] } }]).count,
    3,
  );
  const pumps = pumpsOf(['a', 'A', '_', 'args:', '天']);
  assert.deepEqual(
    growing((text) => buildTools([tool(text, text, text, { [text]: { description: text } })]), pumps),
    [],
  );
  assert.deepEqual(
    growing((text) => found(text), pumps),
    [],
  );
});

const aidOf = (hits: readonly number[], first: readonly number[] = []): Aid => ({
  nearest: { hits: Int32Array.from(hits), similarities: Float32Array.from(hits, (_, at) => 1 - at / 200) },
  weight: 1,
  first,
  meaning: 'used',
  reranking: 'used',
  key: '',
});

test('what models say is fused with the words: on every page, counted, and only of wanted tools', () => {
  const ask = (aid: Aid | null, more: Partial<Parameters<typeof searchTools>[1]> = {}) =>
    searchTools(index, { text: 'issue', limit: 50, offset: 0, isWanted: null, aid, ...more });
  const positions = (of: ReturnType<typeof ask>) => of.hits.map(({ part, row }) => toolPosition(part, row));
  const worded = positions(ask(null));
  const last = worded.at(-1) as number;
  const other = toolPosition(1, 9);
  assert.equal(worded.includes(other), false);
  const aided = ask(aidOf([last, other]));
  assert.deepEqual([aided.total_count, positions(aided)[0]], [worded.length + 1, last]);
  const found = aided.hits[positions(aided).indexOf(other)];
  assert.deepEqual([found?.score, found?.aided?.words_place, found?.aided?.meaning_place], [0, null, 2]);
  const pages = [0, 2, 4].flatMap((offset) => positions(ask(aidOf([last, other]), { limit: 2, offset })));
  assert.deepEqual(pages, positions(aided));
  const reranked = positions(ask(aidOf([], [last, 99_999, last])));
  assert.deepEqual([reranked[0], reranked.toSorted()], [last, worded.toSorted()], 'what it invents does not count');
  const wanted = positions(ask(aidOf([last, other]), { isWanted: (part) => part === 0 }));
  assert.ok(wanted.length > 0 && wanted.every((position) => position < toolPosition(1, 0)));
});

test('a server is found by its tool, and the tool is named unless only the server fits', () => {
  const builder = capabilityBuilder();
  const tools = TOOLS.slice(0, 3).map((each) => ({ ...each, target: 'one' }));
  const contents = tools.map(({ name, description }) => `${name} ${description}`);
  builder.add(documentFrom(0, { name: 'Octo', listing_type: 'server', tools, contents }));
  builder.add(documentFrom(1, { name: 'Printer', contents: ['scripts/merge-pdf.py\nMerges PDF documents into one.'] }));
  for (let at = 2; at < 60; at++) builder.add(documentFrom(at));
  const view = marketplaceViewOf(
    { base: builder.finish().segment, deleted: null, delta: null, version: '', is_whole: true },
    null,
  );
  const search = (text: string, aid: Aid | null = null) => {
    const request = { text, as_typed: false, filters: NO_FILTERS, sort: 'relevance' as const, limit: 1, offset: 0 };
    const [hit] = searchCapabilities(view, request).hits;
    return hit === undefined ? null : [capabilityOfHit(view, hit.row).name, toolFinder(view, text, aid)(hit.row)];
  };
  assert.deepEqual(search('delete files'), ['Octo', 'delete_file']);
  assert.deepEqual(search('Octo create issue'), ['Octo', 'create_issue']);
  assert.deepEqual(search('octo'), ['Octo', null]);
  assert.deepEqual(search('merge pdf'), ['Printer', null]);
  const { tools: rows } = view.parts[0].segment;
  const near = Array.from({ length: rows.count }, (_, row) => row).filter(
    (row) => toolName(rows, row) === 'delete_file',
  );
  const aid = { ...aidOf([]), tools: aidOf(near).nearest, nearest: NO_HITS };
  assert.deepEqual(search('octo', aid), ['Octo', 'delete_file'], 'by its meaning');
  assert.deepEqual(search('Octo create issue', aid), ['Octo', 'create_issue'], 'its words come first');
});
