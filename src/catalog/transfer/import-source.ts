import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { coreProblem } from '#core/errors.ts';
import type { OutboundFetch } from '#core/outbound/outbound.ts';
import type { Problem } from '#core/problem/problem.ts';

interface ImportSource {
  bytes: AsyncIterable<Uint8Array>;
  /** Null if unknown before reading. */
  size: number | null;
}

const MAX_BYTES = 4 * 1024 ** 3;
const TIMEOUT_MS = 3_600_000;

/** Opens a file, a URL, or `-` for standard input. Throws `command.file_unavailable` (`import_read`). */
export async function openSource(
  name: string,
  stdin: AsyncIterable<Uint8Array>,
  fetch: OutboundFetch,
): Promise<ImportSource> {
  if (name === '-') return { bytes: stdin, size: null };
  if (/^https?:\/\//i.test(name)) return openUrl(name, fetch);
  const info = await stat(name).catch((cause) => {
    throw unreadable(`Cannot read ${name}: ${cause.code === 'ENOENT' ? 'file not found' : cause.message}.`, cause);
  });
  if (info.isDirectory()) throw unreadable(`${name} is a directory; name an NDJSON file.`);
  return { bytes: createReadStream(name), size: info.isFile() ? info.size : null };
}

async function openUrl(url: string, fetch: OutboundFetch): Promise<ImportSource> {
  const response = await fetch(url, { max_bytes: MAX_BYTES, timeout_ms: TIMEOUT_MS });
  if (response.status !== 200 || response.body === null) {
    await response.body?.cancel();
    throw unreadable(`${new URL(url).host} answered HTTP ${response.status}.`);
  }
  return { bytes: response.body, size: null };
}

export const unreadable = (detail: string, cause?: unknown): Problem =>
  coreProblem('command.file_unavailable', detail, { reason: 'import_read', cause });
