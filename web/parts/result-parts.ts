import { type ImageFacts, imageFacts } from './image-facts.ts';

/** The parts of a result that have an address of their own: values, files, and the content blocks of a tool. Pure. */

export interface ResultFile {
  path: string;
  size: number;
  content_base64: string;
}

interface RunValues {
  input: unknown;
  output: unknown;
  input_files: readonly ResultFile[];
  output_files: readonly ResultFile[];
}

/** A content block of MCP: its type says which members it has, if it keeps to that. */
export interface Block {
  type: string;
  [member: string]: unknown;
}

/** The content blocks, if the output of a run is what a tool returned as such; otherwise null. */
export function blocksOf(output: unknown): Block[] | null {
  if (!isMembers(output) || !Array.isArray(output.content) || output.content.length === 0) return null;
  const isOnly = Object.keys(output).every((name) => name === 'content' || name === 'structured_content');
  return isOnly && output.content.every(isBlock) ? output.content : null;
}

/** The structured content beside the blocks; null if there is none. Expects a result with blocks. */
export const structuredOf = (output: unknown): unknown =>
  isMembers(output) ? (output.structured_content ?? null) : null;

/** Whether a block is the text that servers send beside structured content, for clients that do not read that. */
export const repeatsIt = ({ type, text }: Block): boolean =>
  type === 'text' && typeof text === 'string' && /^\s*[[{]/.test(text);

const isBlock = (entry: unknown): entry is Block => isMembers(entry) && typeof entry.type === 'string';

export const isMembers = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The base64 data of an image, audio or embedded file; null for blocks without any. */
export function dataOf(block: Block): string | null {
  const data = block.type === 'resource' ? resourceOf(block).blob : block.data;
  return typeof data === 'string' ? data : null;
}

export const resourceOf = ({ resource }: Block): Record<string, unknown> => (isMembers(resource) ? resource : {});

/** Headers of JPEG files may follow a long preview image. */
const HEADER_BYTES = 96 * 1_024;

/** Whether the bytes may be displayed as an image, whatever their name or declared type is. */
export function imageIn(base64: string): ImageFacts | null {
  if (base64.length > MOST_IMAGE_BYTES * 1.4) return null;
  return imageFacts(Buffer.from(base64.slice(0, HEADER_BYTES), 'base64'));
}

const MOST_IMAGE_BYTES = 2 * 1_024 * 1_024;

interface Part {
  file_name: string;
  media_type: string;
  body: string | Uint8Array;
}

/**
 * The part at a path: `input`, `output`, `output/<file>` or `blocks/<number>`. Never with a type that a browser renders.
 * Null if there is none.
 */
export function partAt(values: RunValues, path: string): Part | null {
  const [place = '', ...rest] = path.split('/');
  if (place === 'blocks') return blockAt(values.output, rest.join('/'));
  if (place !== 'input' && place !== 'output') return null;
  if (rest.length === 0) {
    const value = values[place];
    return typeof value === 'string'
      ? { file_name: `${place}.txt`, media_type: 'text/plain; charset=utf-8', body: value }
      : { file_name: `${place}.json`, media_type: 'application/json', body: JSON.stringify(value, null, 2) };
  }
  const file = values[`${place}_files`].find((given) => given.path === rest.join('/'));
  return file === undefined ? null : bytesPart(rest.at(-1) as string, file.content_base64);
}

/** The part at a path if it is an image that browsers display safely; otherwise null. */
export function imageAt(values: RunValues, path: string): Part | null {
  const part = partAt(values, path);
  if (part === null || typeof part.body === 'string' || part.body.byteLength > MOST_IMAGE_BYTES) return null;
  const facts = imageFacts(part.body);
  return facts === null ? null : { ...part, media_type: facts.media_type };
}

function blockAt(output: unknown, number: string): Part | null {
  if (!/^\d{1,4}$/.test(number)) return null;
  const data = dataOf(blocksOf(output)?.[Number(number)] ?? { type: '' });
  return data === null ? null : bytesPart(`part-${Number(number) + 1}`, data);
}

function bytesPart(file_name: string, base64: string): Part {
  return { file_name, media_type: 'application/octet-stream', body: Buffer.from(base64, 'base64') };
}
