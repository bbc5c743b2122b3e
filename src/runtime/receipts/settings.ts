import { duration, integer, type Setting } from '#core/config/config.ts';

const DAY_MS = 86_400_000;

/** RFC 7638 thumbprints of Ed25519 keys, as `GET /api/receipts/keys` names them. */
const TRUSTED_KEYS: Setting<string[]> = {
  name: 'CAPSTAN_RECEIPT_TRUSTED_KEYS',
  description:
    'Key ids of other trusted issuers, from their GET /api/receipts/keys (kid). The service always trusts its own keys.',
  default: '',
  secret: false,
  form: 'a comma list of key ids',
  parse: (text) => {
    const ids = text === '' ? [] : text.split(',').map((part) => part.trim());
    const wrong = ids.filter((id) => !/^[\w-]{43}$/.test(id));
    if (wrong.length > 0)
      throw new Error(`must be key ids of 43 characters (base64url); ${wrong.join(', ')} is not one`);
    return [...new Set(ids)];
  },
};

export const RECEIPTS_SETTINGS = {
  calls_per_day: integer('CAPSTAN_TOOL_CALLS', 10_000, 1, 10_000_000, {
    description:
      'Maximum tool calls per user through connections and rigs in 24 hours. Each leaves a receipt of about 2 kB, and receipts are never deleted.',
  }),
  intent_retention_ms: duration('CAPSTAN_INTENT_RETENTION', '400d', DAY_MS, {
    description:
      'How long the signed intent of a run is kept after its receipt, which contains its digest. Receipts, and intents of runs without a receipt, are kept forever.',
  }),
  trusted_keys: TRUSTED_KEYS,
} as const;
