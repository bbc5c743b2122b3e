import type { Input, Reply } from '#core/http/operation.ts';
import type { PageRequest } from '#core/http/pages.ts';
import { noSuchPath } from '#core/http/path.ts';

/** Returns the page if an operation and a page share a path. */

export type AnswerPage = (request: PageRequest) => Promise<Reply | null>;

type RequestParts = Pick<Input, 'raw_path' | 'raw_query' | 'headers' | 'address'>;

export async function pageOf(
  answerPage: AnswerPage,
  { raw_path, raw_query, headers, address }: RequestParts,
): Promise<Reply> {
  const url = raw_query === '' ? raw_path : `${raw_path}?${raw_query}`;
  const reply = await answerPage({ method: 'GET', url, headers, body: '', address });
  if (reply === null) throw noSuchPath();
  return reply;
}
