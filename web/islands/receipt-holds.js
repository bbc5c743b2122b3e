import { sha256, strictBase64, utf8 } from './sdk/receipts/bytes.ts';
import { canonicalJson } from './sdk/receipts/canonical-json.ts';

/** Whether input and output of a task are those whose keyed hashes its receipt holds. */
export async function holdsTo({ predicate }, task) {
  const key = await crypto.subtle.importKey(
    'raw',
    strictBase64(task.receipt_key),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['sign'],
  );
  const parts = [];
  for (const part of ['input', 'output']) {
    const text = canonicalJson(await withFiles(task[part], task[`${part}_files`]));
    const mac = hex(new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text))));
    parts.push({ part, holds: mac === predicate[part].hmac_sha256 });
  }
  return parts;
}

/** The JSON alone, or `{json, files: {<path>: <sha256>}}` where there are files. */
async function withFiles(json, files) {
  if (files.length === 0) return json;
  const digests = {};
  for (const { path, content_base64 } of files) digests[path] = hex(await sha256(strictBase64(content_base64)));
  return { json: json ?? null, files: digests };
}

const hex = (bytes) => bytes.toHex?.() ?? Array.from(bytes, (it) => it.toString(16).padStart(2, '0')).join('');
