import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';
import { Bundle } from './bundle.ts';
import { BUNDLE_EXAMPLE, KEY_ID, RECEIPT_ID, STATEMENT_EXAMPLE } from './examples.ts';
import { Verdict } from './verdict.ts';

/** The receipts feature as data. */

const Key = Type.Object({
  kid: Type.String({ description: 'RFC 7638 thumbprint; `keyid` of the signatures.' }),
  kty: Type.Literal('OKP'),
  crv: Type.Literal('Ed25519'),
  x: Type.String(),
  use: Type.Literal('sig'),
  alg: Type.Literal('EdDSA'),
  active_at: Type.String({ format: 'date-time', description: 'When it started to sign.' }),
});

const Hashes = Type.Array(Type.String(), { description: 'Base64, as RFC 9162 section 2.1.4 orders them.' });

const OwnReceipt = Type.Object({
  id: Type.String({ description: '`receipt_id` of a task or a tool call.' }),
  name: Type.String({ description: 'What ran: the subject of the receipt. Untrusted text.' }),
  tool: Type.Union(
    [
      Type.Object({
        server: Type.String({ description: '`listing/<provider>/<id>`, `connection/<id>`, or an address.' }),
        name: Type.String(),
      }),
      Type.Null(),
    ],
    { description: 'Of a tool call. Untrusted text.' },
  ),
  status: Type.Enum(['running', 'completed', 'failed', 'cancelled', 'interrupted', 'refused']),
  reason: Type.Union([Type.String(), Type.Null()], { description: 'Why it did not complete, such as `timed_out`.' }),
  started_at: Type.String({ format: 'date-time' }),
  finished_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()]),
});

export const receiptsContract = {
  list: operation({
    id: 'runtime.receipts.list',
    method: 'GET',
    path: '/api/receipts',
    summary: 'List your runs and tool calls',
    description:
      'Newest first: everything of yours that has a receipt, whichever client asked for it. Tool calls in progress are ' +
      'included; their receipt is signed when they have ended.',
    access: 'jwt',
    query: Type.Object({
      limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of receipts.' }),
      before: Type.Optional(
        Type.String({ minLength: 1, maxLength: 100, description: '`next` of the page before: only older ones.' }),
      ),
    }),
    examples: { limit: 50 },
    answers: {
      200: jsonAnswer(
        'One page.',
        Type.Object({
          items: Type.Array(OwnReceipt),
          next: Type.Union([Type.String(), Type.Null()], { description: 'Null on the last page.' }),
        }),
        {
          items: [
            {
              id: RECEIPT_ID,
              name: 'tool/listing/mcp-registry/com.example/tides/tide_at',
              tool: { server: 'listing/mcp-registry/com.example/tides', name: 'tide_at' },
              status: 'completed',
              reason: null,
              started_at: '2026-11-20T12:00:00.000Z',
              finished_at: '2026-11-20T12:00:00.412Z',
            },
          ],
          next: null,
        },
      ),
    },
    problems: [],
  }),
  get: operation({
    id: 'runtime.receipts.get',
    method: 'GET',
    path: '/api/receipts/{id}',
    summary: 'Get the receipt of a run or tool call',
    description:
      'A bundle that anyone can check offline, by `capstan verify` or by any implementation of DSSE and RFC 9162: ' +
      'the signed statement, its place in the log with a proof, the log’s checkpoint, and the key. ' +
      'It names neither the caller nor the input or output, only keyed hashes of them.',
    access: 'public',
    params: Type.Object({
      id: Type.String({ minLength: 1, maxLength: 100, description: '`receipt_id` of a task or a tool call.' }),
    }),
    examples: { id: RECEIPT_ID },
    answers: {
      200: jsonAnswer('The bundle.', Bundle, BUNDLE_EXAMPLE),
    },
    problems: ['receipts.not_found', 'receipts.unavailable'],
  }),
  verify: operation({
    id: 'runtime.receipts.verify',
    method: 'POST',
    path: '/api/receipts/verify',
    summary: 'Verify a receipt',
    description:
      'Runs the same checks as `capstan verify`. `valid` is true only if the signature is from a key of this service, or one ' +
      'that its operator trusts (`CAPSTAN_RECEIPT_TRUSTED_KEYS`); `consistent` means that signature and log proof agree. ' +
      'For an invalid bundle the response is 200 with `valid: false`, not an error.',
    access: 'public',
    body: Type.Unknown({
      description: '`{"bundle": …}`, with the response of `GET /api/receipts/{id}`. The bundle alone is accepted, too.',
    }),
    body_example: { bundle: BUNDLE_EXAMPLE },
    answers: {
      200: jsonAnswer('The verdict.', Verdict, {
        verdict: 'valid',
        valid: true,
        consistent: true,
        issuer: 'this_service',
        failed: null,
        detail: 'Signed by this service, and in its log.',
        key_id: KEY_ID,
        log: { origin: '127.0.0.1:8080/receipts', index: 0, size: 2 },
        statement: STATEMENT_EXAMPLE,
      }),
    },
    problems: [],
  }),
  getCheckpoint: operation({
    id: 'runtime.receipts.getCheckpoint',
    method: 'GET',
    path: '/api/receipts/checkpoint',
    summary: 'Get the newest checkpoint of the receipt log',
    description:
      'The log’s size and root, signed. With `since`, also the proof that the log of that many entries is the ' +
      'beginning of this one: with an old checkpoint you can verify that nothing was removed or changed.',
    access: 'public',
    query: Type.Object({
      since: Type.Optional(
        Type.Integer({ minimum: 0, maximum: 2 ** 31 - 1, description: 'Size of an older checkpoint.' }),
      ),
    }),
    examples: { since: 0 },
    answers: {
      200: jsonAnswer(
        'The checkpoint. `checkpoint` is null while the log is empty.',
        Type.Object({
          origin: Type.String(),
          size: Type.Integer(),
          checkpoint: Type.Union([Type.String(), Type.Null()], {
            description: 'A signed note (C2SP tlog-checkpoint).',
          }),
          consistency: Type.Union([Type.Object({ since: Type.Integer(), proof: Hashes }), Type.Null()]),
        }),
        {
          origin: '127.0.0.1:8080/receipts',
          size: 2,
          checkpoint: BUNDLE_EXAMPLE.checkpoint,
          consistency: { since: 1, proof: ['47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='] },
        },
      ),
    },
    problems: ['http.invalid'],
  }),
  listKeys: operation({
    id: 'runtime.receipts.listKeys',
    method: 'GET',
    path: '/api/receipts/keys',
    summary: 'List the keys of receipts',
    description:
      'Every public key that ever signed a receipt of this service, as a JWK set. `capstan verify --issuer URL` reads ' +
      'them here. Retired keys stay, because their receipts stay.',
    access: 'public',
    answers: {
      200: jsonAnswer(
        'The keys, oldest first.',
        Type.Object({ origin: Type.String({ description: 'Name of the log.' }), keys: Type.Array(Key) }),
        {
          origin: '127.0.0.1:8080/receipts',
          keys: [
            {
              kid: KEY_ID,
              kty: 'OKP',
              crv: 'Ed25519',
              x: BUNDLE_EXAMPLE.jwk.x,
              use: 'sig',
              alg: 'EdDSA',
              active_at: '2026-11-20T12:00:00.000Z',
            },
          ],
        },
      ),
    },
    problems: [],
  }),
};
