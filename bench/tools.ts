import { buildTools } from '#catalog/search/index/tool-segment.ts';
import { searchTools, toolIndexOf } from '#catalog/search/query/tool-search.ts';
import { plainBm25 } from './tools/bm25.ts';
import { type Definition, readDefinitions, readRequests, type ToolRequest, wordsOf } from './tools/definitions.ts';
import { rankWithModel } from './tools/with-model.ts';

/**
 * The search of tools: how often the right one is among the first five, beside plain BM25, for requests in everyday words that were
 * written from descriptions alone, and how fast it is. `node bench/tools.ts`.
 */

type Ranked = (text: string) => readonly Definition[];

const SIZES = [500, 3_000, 10_000];
const FIRST = 5;
/** Of the order by meaning of a stand-in for an operator's model; the first is the default of the setting. */
const WEIGHTS = [0.3, 1];

const definitions = readDefinitions();
const requests = readRequests();

async function measure(some: readonly Definition[]): Promise<void> {
  const known = new Map(some.map((tool) => [tool.id, tool]));
  const asked = requests.filter(({ tool }) => known.has(tool));
  const inOwnWords = asked.map((request) => ({ ...request, text: wordsOf(known.get(request.tool) as Definition) }));
  const sets: Record<string, readonly ToolRequest[]> = {
    'everyday words': asked,
    'everyday words, tuning half': asked.filter(({ set }) => set === 'tuning'),
    'everyday words, held-out half': asked.filter(({ set }) => set === 'held'),
    'everyday words, second set': asked.filter(({ set }) => set === 'second'),
    'everyday words, third set': asked.filter(({ set }) => set === 'third'),
    'everyday words, fourth set': asked.filter(({ set }) => set === 'fourth'),
    'words of the tool': inOwnWords,
  };
  const ours = ranker(some);
  const bm25 = plainBm25(some);
  const texts = [...new Set([...asked, ...inOwnWords].map(({ text }) => text))];
  const modelled = await rankWithModel(some, texts, { weights: WEIGHTS, limit: FIRST });
  const rows: Record<string, Record<string, number>> = {};
  for (const [name, set] of Object.entries(sets)) {
    if (set.length === 0) continue;
    rows[name] = {
      requests: set.length,
      'first five': shareOf(set, ours.ranked),
      'first five, BM25': shareOf(set, bm25),
      ...Object.fromEntries(
        WEIGHTS.map((weight) => [
          `first five, stand-in ${weight}`,
          shareOf(set, (text) => (modelled.get(weight)?.get(text) ?? []).map((id) => known.get(id) as Definition)),
        ]),
      ),
      MRR: reciprocalOf(set, ours.ranked),
    };
  }
  console.log(`${some.length} definitions, all real`);
  console.table(rows);
  console.table({ [`${some.length} tools`]: ours.measure(asked) });
}

function ranker(some: readonly Definition[]) {
  const began = process.cpuUsage();
  const segment = buildTools(some);
  const { user, system } = process.cpuUsage(began);
  const index = toolIndexOf([{ segment, deleted: null }]);
  const search = (text: string) => searchTools(index, { text, limit: FIRST, offset: 0, isWanted: null });
  const ranked: Ranked = (text) => search(text).hits.map(({ row }) => some[row] as Definition);
  const { text } = segment;
  const bytes = [...Object.values(text), segment.nameLengths].reduce((sum, { byteLength }) => sum + byteLength, 0);
  return {
    ranked,
    measure: (asked: readonly ToolRequest[]) => {
      const times: number[] = [];
      for (let round = 0; round < 6; round++)
        for (const request of asked) {
          index.plans.clear();
          index.translations.clear();
          const start = process.cpuUsage();
          search(request.text);
          const spent = process.cpuUsage(start);
          if (round > 0) times.push((spent.user + spent.system) / 1_000);
        }
      times.sort((a, b) => a - b);
      const at = (share: number) => rounded(times[Math.floor(times.length * share)] ?? 0);
      return {
        'build CPU ms': rounded((user + system) / 1_000),
        'bytes each': Math.round(bytes / some.length),
        'p50 CPU ms': at(0.5),
        'p99 CPU ms': at(0.99),
      };
    },
  };
}

const shareOf = (set: readonly ToolRequest[], ranked: Ranked): number =>
  rounded(set.filter(({ text, tool }) => placeOf(ranked(text), tool) > 0).length / set.length);

const reciprocalOf = (set: readonly ToolRequest[], ranked: Ranked): number =>
  rounded(set.reduce((sum, { text, tool }) => sum + inverse(placeOf(ranked(text), tool)), 0) / set.length);

/** From 1; 0 if it is not among the first. */
const placeOf = (found: readonly Definition[], tool: string): number =>
  found.slice(0, FIRST).findIndex(({ id }) => id === tool) + 1;

const inverse = (place: number): number => (place === 0 ? 0 : 1 / place);

function rounded(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}

if (definitions.length === 0) console.log('Nothing is measured: set CAPSTAN_TEST_DATA to a folder with definitions.');
else
  for (const size of SIZES.filter((some) => some <= definitions.length || some === SIZES[0]))
    await measure(definitions.slice(0, size));
