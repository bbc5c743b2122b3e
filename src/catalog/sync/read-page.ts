import type { Static, TSchema } from 'typebox';
import { Problem } from '#core/problem/problem.ts';
import { mismatch } from './adapt-record.ts';

/** The envelope of a page. What is inside, record by record, is `adaptRecord`'s. */

/** `body` as JSON of the envelope's shape. Anything else is `registry.provider_shape`. */
export const readPage = <S extends TSchema>(provider: string, schema: S, body: string): Static<S> => {
  const page = parseJson(provider, body);
  return checkPage(provider, schema, page);
};

/** The same for a value that is parsed already. */
export const checkPage = <S extends TSchema>(provider: string, schema: S, page: unknown): Static<S> => {
  const wrong = mismatch(schema, page);
  if (wrong !== null) throw shapeProblem(provider, `is not of the documented shape at ${wrong}`);
  return page as Static<S>;
};

export const parseJson = (provider: string, body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch (cause) {
    const html = /^\s*</.test(body) ? ' but looks like HTML' : '';
    throw shapeProblem(provider, `is not JSON${html}`, cause);
  }
};

export const shapeProblem = (provider: string, what: string, cause?: unknown): Problem =>
  new Problem(
    'upstream_failed',
    'registry.provider_shape',
    `The answer of ${provider} ${what}. What was saved before stays; the next sync tries again.`,
    { cause },
  );
