import type { Static } from 'typebox';
import { coreProblem } from '#core/errors.ts';
import { Type } from '#core/json-schema/type.ts';

/** Files of a directory as JSON in requests and responses. */

export const FILE_LIMITS = { files: 200, total_bytes: 1024 * 1024 } as const;

const path = Type.String({ minLength: 1, maxLength: 500, description: 'Relative to the directory, with /.' });

export const GivenFile = Type.Object(
  {
    path,
    content: Type.Optional(Type.String({ description: 'The file as text. Give this or base64.' })),
    base64: Type.Optional(Type.String({ description: 'The bytes of a binary file.' })),
  },
  { additionalProperties: false },
);

export const GivenFiles = Type.Array(GivenFile, { maxItems: FILE_LIMITS.files });
export type GivenFiles = Static<typeof GivenFiles>;

interface Given {
  files: Map<string, Uint8Array>;
  /** All given paths, including duplicates. */
  paths: string[];
}

/** Throws `http.invalid` (`input`) with a pointer to each invalid file. */
export function readGivenFiles(given: GivenFiles): Given {
  const errors: { pointer: string; detail: string }[] = [];
  const files = new Map<string, Uint8Array>();
  let total = 0;
  for (const [index, { path, content, base64 }] of given.entries()) {
    const bytes = bytesOf(content, base64);
    if (typeof bytes === 'string') errors.push({ pointer: `/files/${index}`, detail: bytes });
    else {
      files.set(path, bytes);
      total += bytes.length;
    }
  }
  if (total > FILE_LIMITS.total_bytes)
    errors.push({ pointer: '/files', detail: `must be at most ${FILE_LIMITS.total_bytes} bytes together` });
  if (errors.length > 0)
    throw coreProblem('http.invalid', `${errors[0]?.pointer} ${errors[0]?.detail}.`, { reason: 'input', errors });
  return { files, paths: given.map((entry) => entry.path) };
}

function bytesOf(content: string | undefined, base64: string | undefined): Uint8Array | string {
  if ((content === undefined) === (base64 === undefined)) return 'must have either content or base64';
  if (content !== undefined) return Buffer.from(content, 'utf8');
  const bytes = Buffer.from(base64 as string, 'base64');
  // The decoder ignores characters that are not base64.
  const same =
    bytes.toString('base64').replace(/={1,2}$/, '') === (base64 as string).replace(/\s/g, '').replace(/={0,2}$/, '');
  return same ? bytes : 'must be base64 (RFC 4648, section 4)';
}

/** The inverse: text if the bytes are text. */
export const toGiven = (files: ReadonlyMap<string, Uint8Array>): GivenFiles =>
  [...files].map(([path, bytes]) => {
    const content = Buffer.from(bytes).toString('utf8');
    const isText = Buffer.from(content, 'utf8').equals(bytes) && !content.includes('\0');
    return isText ? { path, content } : { path, base64: Buffer.from(bytes).toString('base64') };
  });
