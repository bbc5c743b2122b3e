import { jsonBytes } from '#core/http/operation.ts';

/** Headers that registry clients require of every response. */
const HEADERS = {
  'access-control-allow-methods': 'GET, OPTIONS',
  'access-control-allow-headers': 'Authorization, Content-Type',
};

export const registryReply = (value: unknown) => jsonBytes(value, { headers: HEADERS });
