import { sha256 } from '#core/crypto/sha256.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import { unfitText } from '#runtime/harnesses/refusals.ts';

/** The data and the limits of a memory; no I/O. */

const MEMORY_BYTES = 100 * 1024;

export const CHANGES = ['write', 'restore', 'delete'] as const;
export type MemoryChange = (typeof CHANGES)[number];

/** A memory in a list. */
export interface MemoryLine {
  path: string;
  version: number;
  sha256: string;
  /** Bytes. */
  size: number;
  updated_at: string;
}

/** One version; `content` is null if it is a deletion or was redacted. */
export interface MemoryVersion {
  version: number;
  change: MemoryChange;
  sha256: string | null;
  size: number;
  restored_from: number | null;
  note: string;
  created_at: string;
  redacted: { at: string; reason: string } | null;
}

export interface WholeMemory extends MemoryVersion {
  path: string;
  content: string | null;
  /** Whether it is the current version. */
  is_newest: boolean;
}

/** Throws `harnesses.too_large` or `harnesses.invalid` (`text`). */
export function readContent(content: string, pointer: string): { content: string; sha256: string; size: number } {
  const fault = textFault(content);
  if (fault !== null) throw unfitText([{ pointer, detail: fault }]);
  const size = Buffer.byteLength(content);
  if (size > MEMORY_BYTES)
    throw runtimeProblem(
      'harnesses.too_large',
      `${pointer} has ${size} bytes; a memory has at most ${MEMORY_BYTES}. Split it into several.`,
      { errors: [{ pointer, detail: `must be at most ${MEMORY_BYTES} bytes` }] },
    );
  return { content, sha256: sha256(content), size };
}

/** PostgreSQL keeps no NUL, and half a character would come back as another one. */
export const textFault = (text: string): string | null =>
  text.includes('\0') ? 'contains a NUL character' : text.isWellFormed() ? null : 'contains a lone surrogate';
