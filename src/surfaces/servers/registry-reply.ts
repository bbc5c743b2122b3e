import type { Reply } from '#core/http/operation.ts';

/** Headers that registry clients require of every response. */
const HEADERS = {
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type',
};

export const registryReply = (value: unknown): Reply & { body: Uint8Array } => ({
  media_type: 'application/json; charset=utf-8',
  body: Buffer.from(JSON.stringify(value)),
  headers: HEADERS,
});
