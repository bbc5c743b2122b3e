import { parts } from '#catalog/changes/fold.ts';
import { isRecord } from '#core/record.ts';
import type { Definition } from './definitions.ts';

const [K1, B] = [1.2, 0.75];

/** Plain BM25 over names, descriptions and names of arguments, as one text. Ties in the order of the tools. */
export function plainBm25(tools: readonly Definition[]): (text: string) => Definition[] {
  const texts = tools.map(({ name, description, input_schema }) => {
    const properties = isRecord(input_schema) && isRecord(input_schema.properties) ? input_schema.properties : {};
    return termsOf([name, description, ...Object.keys(properties)].join(' '));
  });
  const usual = texts.reduce((sum, text) => sum + text.length, 0) / texts.length;
  const postings = new Map<string, { row: number; count: number }[]>();
  texts.forEach((terms, row) => {
    for (const [term, of] of Map.groupBy(terms, (each) => each)) {
      const list = postings.get(term) ?? [];
      if (list.length === 0) postings.set(term, list);
      list.push({ row, count: of.length });
    }
  });
  return (text) => {
    const scores = new Map<number, number>();
    for (const term of new Set(termsOf(text))) {
      const list = postings.get(term) ?? [];
      const rarity = Math.log(1 + (tools.length - list.length + 0.5) / (list.length + 0.5));
      for (const { row, count } of list) {
        const length = 1 - B + (B * (texts[row]?.length ?? 0)) / usual;
        scores.set(row, (scores.get(row) ?? 0) + (rarity * count * (K1 + 1)) / (count + K1 * length));
      }
    }
    return [...scores]
      .sort((a, b) => b[1] - a[1] || a[0] - b[0])
      .slice(0, 10)
      .map(([row]) => tools[row] as Definition);
  };
}

/** Folded runs of letters and digits, those of `snake_case` too, with those that come again. */
const termsOf = (text: string): string[] => text.split(/[\s_]+/).flatMap((word) => parts(word));
