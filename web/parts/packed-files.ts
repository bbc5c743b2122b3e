import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { Input } from '../../sdk/src/index.ts';

/**
 * Files as the value of a form field. Pages make hidden characters visible wherever they are, which must not change the files, and a
 * form may be a megabyte: so the field is compressed and in base64.
 */

type CheckBody = NonNullable<Input<'marketplace.publishing.check'>['body']>;
export type DraftFile = NonNullable<CheckBody['files']>[number];

const MOST_BYTES = 4 * 1024 * 1024;

/** Fast compression: a page waits for it. */
export const packFiles = (files: readonly DraftFile[]): string =>
  deflateRawSync(JSON.stringify(files), { level: 1 }).toString('base64');

/** A value that is not such a list is an empty one, which the service rejects. */
export function unpackFiles(packed: string): DraftFile[] {
  try {
    const json = inflateRawSync(Buffer.from(packed, 'base64'), { maxOutputLength: MOST_BYTES }).toString('utf8');
    const files: unknown = JSON.parse(json);
    return Array.isArray(files) ? files.filter(isFile) : [];
  } catch {
    return [];
  }
}

function isFile(value: unknown): value is DraftFile {
  const { path, content = '', base64 = '' } = (value ?? {}) as Record<string, unknown>;
  return typeof path === 'string' && typeof content === 'string' && typeof base64 === 'string';
}
