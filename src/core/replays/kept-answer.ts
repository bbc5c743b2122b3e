import { seal, unseal } from '#core/crypto/seal.ts';
import type { KeyProvider } from '#core/crypto/secret-keys.ts';
import { coreProblem } from '#core/errors.ts';
import type { Reply } from '#core/http/operation.ts';
import { type FieldError, Problem, type ProblemKind } from '#core/problem/problem.ts';
import type { KeyPlace } from './held-keys.ts';

/**
 * A response as it is stored: encrypted, because it may contain secrets that are shown only once, and bound to its key.
 */

export type Whole = Omit<Reply, 'body'> & { body: string | Uint8Array };

interface Kept {
  status?: number;
  media_type: string;
  text?: string;
  base64?: string;
  etag?: string;
  cache_control?: string;
  headers?: Record<string, string>;
}

interface KeptProblem {
  kind: ProblemKind;
  code: string;
  detail: string;
  errors?: FieldError[];
  headers: Record<string, string>;
  extensions: Record<string, unknown>;
}

/** What is stored of a response that is too large: enough to find what it created, and to detect a different one. */
interface Dropped {
  status: number;
  location: string | null;
  /** Of the response body, in hex. */
  sha256: string;
}

export function sealReply(keys: KeyProvider, place: KeyPlace, reply: Whole): string {
  const { status, media_type, body, etag, cache_control, headers } = reply;
  const bytes = typeof body === 'string' ? { text: body } : { base64: Buffer.from(body).toString('base64') };
  const kept = { status, media_type, ...bytes, etag, cache_control, headers };
  return seal(keys, JSON.stringify({ reply: kept }), answerContext(place));
}

export function sealProblem(keys: KeyProvider, place: KeyPlace, problem: Problem): string {
  const { kind, code, message: detail, errors, headers, extensions } = problem;
  const kept = { kind, code, detail, errors, headers, extensions };
  return seal(keys, JSON.stringify({ problem: kept }), answerContext(place));
}

export function sealDropped(keys: KeyProvider, place: KeyPlace, dropped: Dropped): string {
  return seal(keys, JSON.stringify({ dropped }), answerContext(place));
}

/** Returns the reply, or throws the problem, that was stored for this key. Both are marked as replayed. */
export function unsealAnswer(keys: KeyProvider, place: KeyPlace, sealed: string): Reply {
  const text = unseal(keys, sealed, answerContext(place)).toString();
  const kept = JSON.parse(text) as { reply: Kept } | { problem: KeptProblem } | { dropped: Dropped };
  if ('dropped' in kept) throw answerNotKept(kept.dropped);
  if ('problem' in kept) {
    const { kind, code, detail, headers, ...rest } = kept.problem;
    throw new Problem(kind, code, detail, { ...rest, headers: { ...headers, ...REPLAYED } });
  }
  const { text: body, base64 = '', headers, ...rest } = kept.reply;
  return { ...rest, body: body ?? Buffer.from(base64, 'base64'), headers: { ...headers, ...REPLAYED } };
}

export function answerNotKept({ status, location, sha256 }: Pick<Dropped, 'status'> & Partial<Dropped>): Problem {
  const where = typeof location === 'string' ? `Read ${location}.` : 'Read the resource it created.';
  return coreProblem(
    'http.idempotency_conflict',
    `The request was executed with status ${status}, but its response was too large to store. ${where}`,
    {
      reason: 'answer_not_kept',
      headers: typeof location === 'string' ? { location } : {},
      extensions: { first_status: status, location: location ?? null, sha256: sha256 ?? null },
    },
  );
}

const REPLAYED = { 'idempotent-replayed': 'true' };

/** Only the last part may contain the separator: ids of users and operations do not. */
export const answerContext = ({ owner, operation, key }: KeyPlace): string =>
  `idempotency|${owner}|${operation}|${key}`;
