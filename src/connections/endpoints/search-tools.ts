import { setImmediate } from 'node:timers/promises';
import { fold } from '#catalog/changes/fold.ts';
import type { KnownTool } from '#core/mcp/tool.ts';
import type { OfferedTool } from './offered-tools.ts';

/** Finds tools of an endpoint by words, with BM25 over names, descriptions and argument names. */

const MOST_TEXT_CHARS = 2_000;
const MOST_ARGUMENTS = 100;
const MOST_TERMS = 20;
/** Between two turns of the event loop. */
const TOOLS_AT_ONCE = 250;
const NAME_WEIGHT = 3;
const K1 = 1.2;
const B = 0.6;

interface Words {
  counts: ReadonlyMap<string, number>;
  length: number;
}

/** Lists are kept with their tools, so each tool is read once. */
const read = new WeakMap<KnownTool, Words>();

/** The best matches first; all tools in order if the query has no words. */
export async function searchTools(tools: readonly OfferedTool[], query: string, most: number): Promise<OfferedTool[]> {
  const terms = [...new Set(termsOf(query.slice(0, MOST_TEXT_CHARS)))].slice(0, MOST_TERMS);
  if (terms.length === 0) return tools.slice(0, most);
  const found: { tool: OfferedTool; words: Words; prefix: ReadonlyMap<string, number> }[] = [];
  const having = new Map<string, number>();
  let total = 0;
  for (const [at, tool] of tools.entries()) {
    if (at % TOOLS_AT_ONCE === TOOLS_AT_ONCE - 1) await setImmediate();
    const words = wordsOf(tool.known);
    const prefix = countsOf(termsOf(tool.prefix));
    total += words.length;
    const matches = terms.filter((term) => words.counts.has(term) || prefix.has(term));
    for (const term of matches) having.set(term, (having.get(term) ?? 0) + 1);
    if (matches.length > 0) found.push({ tool, words, prefix });
  }
  const average = total / Math.max(1, tools.length);
  const scored = found.map(({ tool, words, prefix }) => {
    const score = terms.reduce((sum, term) => {
      const count = (words.counts.get(term) ?? 0) + (prefix.get(term) ?? 0);
      const rarity = Math.log(1 + (tools.length - (having.get(term) ?? 0) + 0.5) / ((having.get(term) ?? 0) + 0.5));
      return sum + (rarity * count * (K1 + 1)) / (count + K1 * (1 - B + (B * words.length) / average));
    }, 0);
    return { tool, score };
  });
  scored.sort((a, b) => b.score - a.score || (a.tool.name < b.tool.name ? -1 : 1));
  return scored.slice(0, most).map(({ tool }) => tool);
}

function wordsOf(known: KnownTool): Words {
  const kept = read.get(known);
  if (kept !== undefined) return kept;
  const { name, title, description, input_schema } = known.definition;
  const named = termsOf(`${name.slice(0, MOST_TEXT_CHARS)} ${title.slice(0, MOST_TEXT_CHARS)}`);
  const properties = input_schema.properties;
  const args = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  const argumentNames = args.slice(0, MOST_ARGUMENTS).join(' ').slice(0, MOST_TEXT_CHARS);
  const others = termsOf(`${description.slice(0, MOST_TEXT_CHARS)} ${argumentNames}`);
  const all = [...Array.from({ length: NAME_WEIGHT }, () => named).flat(), ...others];
  const words = { counts: countsOf(all), length: all.length };
  read.set(known, words);
  return words;
}

function countsOf(terms: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** Folded words, those of `camelCase` and `snake_case` too, without the plural's s. */
const termsOf = (text: string): string[] =>
  (fold(text.toWellFormed().replace(/(?<=[a-z0-9])(?=[A-Z])/g, ' ')).match(/[\p{L}\p{N}]+/gu) ?? []).map((word) =>
    word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word,
  );
