import { defined } from '#core/defined.ts';
import { idHash } from '../index/capability-builder.ts';
import { rowsWithId } from '../index/capability-segment.ts';
import { bytesOfRow } from '../index/packed-json.ts';
import { unpackRows } from '../index/unpack.ts';
import type { AidedPlace } from '../query/fuse.ts';
import type { ScoredHit } from '../query/heap.ts';
import { readerOfHit, rowOfHit } from '../query/list-view.ts';
import { type SearchRequest, type SearchResult, searchCapabilities } from '../query/marketplace-search.ts';
import { type MarketplaceView, partOfHit } from '../query/marketplace-view.ts';
import { toolFinder } from '../query/matching-tool.ts';
import { explainPlace } from '../query/order.ts';
import { bufferPool, type PooledBuffer, takeBuffer } from './buffer-pool.ts';
import { explain } from './explain.ts';
import { highlighter } from './highlights.ts';
import { resemblanceOfHit } from './resemblance.ts';

const pool = bufferPool();

const OPENING = '{"items":[';

interface SearchOptions {
  with_explain: boolean;
  /** How many listings are not linked to a capability yet. */
  not_linked: number;
}

/** A search's answer as JSON in UTF-8: the JSON of each item with its score, highlights and explanation. */
export function searchBody(
  view: MarketplaceView,
  request: SearchRequest,
  { with_explain, not_linked }: SearchOptions,
): PooledBuffer {
  const found = searchCapabilities(view, request);
  const highlightsOf = highlighter(termsOf(found));
  const toolOf = toolFinder(view, request.text, request.aid);
  const stored = unpackHits(view, found.hits);
  const { bytes: json } = stored.buffer;
  const items = found.hits.map((hit, at) => {
    const from = stored.at[at] as number;
    const score = Math.round(hit.score * 1e4) / 1e4;
    const highlights = JSON.stringify(highlightsOf(json, from));
    const tool = JSON.stringify(toolOf(hit.row));
    const explained = with_explain ? `,"explain":${JSON.stringify(explainHit(view, request, found, hit, at))}` : '';
    // The additions replace the item's closing brace and the comma after it.
    const to = (stored.at[at + 1] as number) - '},'.length;
    const resembles = JSON.stringify(resemblanceOfHit(view, hit.row));
    const facts = `,"score":${score},"copies":${hit.copies},"resembles":${resembles},"tool":${tool}`;
    return { from, to, added: `${facts},"highlights":${highlights}${explained}},` };
  });
  const models = with_explain ? modelsOf(request) : undefined;
  const closing = `],${closingOf(request, found, { not_linked, models }).slice('{'.length)}`;
  const isEmpty = items.length === 0;
  const bytes = items.reduce((sum, { from, to, added }) => sum + to - from + Buffer.byteLength(added), OPENING.length);
  // The closing replaces the last item's comma.
  const answer = takeBuffer(pool, bytes + Buffer.byteLength(closing) - (isEmpty ? 0 : ','.length));
  const body = answer.bytes;
  let at = body.write(OPENING);
  for (const { from, to, added } of items) {
    at += json.copy(body, at, from, to);
    at += body.write(added, at);
  }
  body.write(closing, isEmpty ? at : at - ','.length);
  stored.buffer.release();
  return answer;
}

/** The JSON of the hits, and where each starts; the last number is one past the end. */
function unpackHits({ list }: MarketplaceView, hits: readonly ScoredHit[]): { buffer: PooledBuffer; at: number[] } {
  const rows = new Int32Array(hits.length);
  const at = [0];
  let end = 0;
  for (const [i, { row: hit }] of hits.entries()) {
    const row = rowOfHit(hit);
    rows[i] = row;
    end += bytesOfRow(readerOfHit(list, hit).segment, row);
    at.push(end);
  }
  const buffer = takeBuffer(pool, end);
  for (let from = 0; from < hits.length; ) {
    const first = (hits[from] as ScoredHit).row;
    let to = from + 1;
    while (to < hits.length && (hits[to] as ScoredHit).row >= 0 === first >= 0) to++;
    unpackRows(readerOfHit(list, first), rows.subarray(from, to), buffer.bytes, at[from] as number);
    from = to;
  }
  return { buffer, at };
}

const termsOf = ({ plan: { groups, pairs } }: SearchResult): string[] =>
  [...groups, ...pairs].flatMap(({ expansions }) => expansions.flatMap(({ terms }) => terms));

function closingOf(
  { limit, offset }: SearchRequest,
  { total_count, with_copies, facets, plan }: SearchResult,
  { not_linked, models }: { not_linked: number; models: ReturnType<typeof modelsOf> },
): string {
  const { corrected, translated, unmatched } = plan;
  return JSON.stringify({
    total_count,
    with_copies,
    limit,
    offset,
    facets,
    corrected,
    translated,
    unmatched,
    not_linked,
    ...defined({ models }),
  });
}

/** What the operator's models did; undefined without models. */
const modelsOf = ({ aid }: SearchRequest) =>
  aid == null ? undefined : { meaning: aid.meaning, reranking: aid.reranking };

function explainHit(
  view: MarketplaceView,
  { text, offset }: SearchRequest,
  { plan, order }: SearchResult,
  hit: ScoredHit,
  at: number,
) {
  const [part, row] = [partOfHit(view, hit.row), rowOfHit(hit.row)];
  const isId = rowsWithId(part.segment, idHash(text.trim())).includes(row);
  const aided = 'aided' in hit ? (hit.aided as AidedPlace) : undefined;
  const by_words = aided === undefined ? offset + at : (aided.words_place ?? 0) - 1;
  const place = order === null || by_words < 0 ? null : explainPlace(order, by_words);
  return { ...explain(part, row, plan, { score: hit.score, isId, place }), ...defined({ aided }) };
}
