import type { Static, TSchema } from 'typebox';
import { catalogProblem } from '#catalog/errors.ts';
import type { Problem } from '#core/problem/problem.ts';
import { mismatch } from './adapt-record.ts';

/** Reads the envelope of a page. Its records are read by `adaptRecord`. */

/** Parses `body` as JSON of this schema. Throws `registry.provider_failed` (`format`). */
export function readPage<S extends TSchema>(provider: string, schema: S, body: string): Static<S> {
  const page = parseJson(provider, body);
  return checkPage(provider, schema, page);
}

/** As `readPage`, for a parsed value. */
export function checkPage<S extends TSchema>(provider: string, schema: S, page: unknown): Static<S> {
  const wrong = mismatch(schema, page);
  if (wrong !== null) throw shapeProblem(provider, `does not match the documented schema at ${wrong}`);
  return page as Static<S>;
}

export function parseJson(provider: string, body: string): unknown {
  try {
    return JSON.parse(body);
  } catch (cause) {
    const html = /^\s*</.test(body) ? ' but looks like HTML' : '';
    throw shapeProblem(provider, `is not JSON${html}`, cause);
  }
}

export const shapeProblem = (provider: string, what: string, cause?: unknown): Problem =>
  catalogProblem(
    'registry.provider_failed',
    `The response of ${provider} ${what}. Saved listings are kept; the next sync retries.`,
    { reason: 'format', cause },
  );
