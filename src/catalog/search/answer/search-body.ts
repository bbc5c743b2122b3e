import { idHash } from '../index/capability-builder.ts';
import { type AskedSearch, type FoundSearch, findCapabilities, idRowsOf } from '../query/marketplace-search.ts';
import { type IndexView, placeIn } from '../query/marketplace-view.ts';
import { readerAt } from '../query/registry-view.ts';
import { bufferPool, type PooledBuffer, takeBuffer } from './buffer-pool.ts';
import { explain } from './explain.ts';
import { highlighter } from './highlights.ts';

/** Puts a search's answer together: the items' bytes as they lie in the index, each with what the search adds to it. */

const pool = bufferPool();

const OPENING = '{"items":[';

/** What an answer says beside what was found. */
interface Beside {
  with_explain: boolean;
  /** How many listings wait to be linked. */
  not_linked: number;
}

/** The whole answer as JSON in UTF-8. */
export function searchBody(view: IndexView, asked: AskedSearch, { with_explain, not_linked }: Beside): PooledBuffer {
  const found = findCapabilities(view, asked);
  const highlightsOf = highlighter(termsOf(found));
  const items = found.hits.map((hit) => {
    const { json, segment } = readerAt(view.list, hit.row);
    const { row } = placeIn(view, hit.row);
    const from = segment.jsonAt[row] as number;
    const score = Math.round(hit.score * 1e4) / 1e4;
    const highlights = JSON.stringify(highlightsOf(json, from));
    const why = with_explain ? `,"explain":${JSON.stringify(explained(view, asked, found, hit))}` : '';
    // What is added stands in the place of the item's closing brace and the comma after it.
    const to = (segment.jsonAt[row + 1] as number) - '},'.length;
    return { json, from, to, added: `,"score":${score},"highlights":${highlights}${why}},` };
  });
  const closing = `],${closingOf(asked, found, not_linked).slice('{'.length)}`;
  const isEmpty = items.length === 0;
  const bytes = items.reduce((sum, { from, to, added }) => sum + to - from + Buffer.byteLength(added), OPENING.length);
  // The last item's comma gives way to what follows it.
  const answer = takeBuffer(pool, bytes + Buffer.byteLength(closing) - (isEmpty ? 0 : ','.length));
  const body = answer.bytes;
  let at = body.write(OPENING);
  for (const { json, from, to, added } of items) {
    at += json.copy(body, at, from, to);
    at += body.write(added, at);
  }
  body.write(closing, isEmpty ? at : at - ','.length);
  return answer;
}

const termsOf = ({ plan: { groups, pairs } }: FoundSearch): string[] =>
  [...groups, ...pairs].flatMap(({ stands }) => stands.flatMap(({ terms }) => terms));

function closingOf(
  { limit, offset }: AskedSearch,
  { total_count, facets, plan }: FoundSearch,
  not_linked: number,
): string {
  const { corrected, unmatched } = plan;
  return JSON.stringify({ total_count, limit, offset, facets, corrected, unmatched, not_linked });
}

function explained(view: IndexView, asked: AskedSearch, { plan }: FoundSearch, hit: FoundSearch['hits'][number]) {
  const { part, row } = placeIn(view, hit.row);
  const is_id = idRowsOf(part.segment, idHash(asked.text.trim())).includes(row);
  return explain(part, row, plan, hit.score, is_id);
}
