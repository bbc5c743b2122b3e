import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import { Problem } from '#core/problem/problem.ts';

export interface ImportSource {
  bytes: AsyncIterable<Uint8Array>;
  /** Where it is known before reading. */
  size: number | null;
}

const MAX_BYTES = 4 * 1024 ** 3;
const TIMEOUT_MS = 3_600_000;

/** A file, a web address, or `-` for standard input. Throws `registry.import_unreadable`. */
export const openSource = async (
  name: string,
  stdin: AsyncIterable<Uint8Array>,
  fetch: OutboundFetch,
): Promise<ImportSource> => {
  if (name === '-') return { bytes: stdin, size: null };
  if (/^https?:\/\//i.test(name)) return openUrl(name, fetch);
  const info = await stat(name).catch((cause) => {
    throw unreadable(
      `${name} cannot be read: ${cause.code === 'ENOENT' ? 'there is no such file' : cause.message}.`,
      cause,
    );
  });
  if (info.isDirectory()) throw unreadable(`${name} is a directory; name a file of JSON lines.`);
  return { bytes: createReadStream(name), size: info.isFile() ? info.size : null };
};

const openUrl = async (url: string, fetch: OutboundFetch): Promise<ImportSource> => {
  const response = await fetch(url, { max_bytes: MAX_BYTES, timeout_ms: TIMEOUT_MS });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw unreadable(`${new URL(url).host} answered with HTTP ${response.status}.`);
  }
  return { bytes: response.body, size: null };
};

export const unreadable = (detail: string, cause?: unknown): Problem =>
  new Problem('unprocessable', 'registry.import_unreadable', detail, { cause });
