import { sha256, strictBase64, utf8 } from './sdk/src/receipts/bytes.ts';
import { canonicalJson } from './sdk/src/receipts/canonical-json.ts';

/**
 * @import { Operations, RunStatement } from './sdk/src/index.ts'
 * @typedef {Operations['tasks']['get']['answer']} Task
 */

/**
 * Whether the input and output of a task match the keyed hashes in its receipt.
 *
 * @param {RunStatement} statement
 * @param {Task} task
 */
export async function holdsTo({ predicate }, task) {
  const key = await crypto.subtle.importKey(
    'raw',
    bytesOf(task.receipt_key),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const parts = [];
  for (const part of /** @type {const} */ (['input', 'output'])) {
    const text = canonicalJson(await withFiles(task[part], task[`${part}_files`]));
    const mac = hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text))));
    parts.push({ part, holds: mac === predicate[part].hmac_sha256 });
  }
  return parts;
}

/**
 * The JSON alone, or `{json, files: {<path>: <sha256>}}` if there are files.
 *
 * @param {unknown} json
 * @param {readonly {path: string, content_base64: string}[]} files
 */
async function withFiles(json, files) {
  if (files.length === 0) return json;
  /** @type {Record<string, string>} */
  const digests = {};
  for (const { path, content_base64 } of files) digests[path] = hex(await sha256(bytesOf(content_base64)));
  return { json: json ?? null, files: digests };
}

/** @param {string | null} text */
function bytesOf(text) {
  const bytes = text === null ? null : strictBase64(text);
  if (bytes === null) throw new Error('the service does not have the bytes.');
  return bytes;
}

/** @param {Uint8Array} bytes */
const hex = (bytes) => bytes.toHex?.() ?? Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
