import { LEVELS } from '#catalog/items/verification.ts';
import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** Operations that show the evidence for levels and scores. */

const Time = Type.String({ format: 'date-time' });
const Count = Type.Integer({ minimum: 0 });
const Sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });
const Reached = Type.Object({ level: Type.Enum([...LEVELS]), since: Time, expires_at: Time });

export const ProofShape = Type.Object({
  subject: Type.String(),
  versions: Type.Array(
    Type.Object({
      version: Type.String({ description: 'Version as in receipts. Empty for calls over connections.' }),
      sha256: { ...Sha256, description: 'Digest of its files or of its server URL.' },
      level: Type.Enum([...LEVELS]),
      levels: Type.Array(Reached, { description: 'Achieved levels, lowest first.' }),
      runs: Count,
      completed: Count,
      callers: Count,
      last_run_at: Time,
    }),
    { description: 'Versions run within 90 days, newest first.' },
  ),
  receipts: Type.Array(
    Type.Object({
      id: Type.String(),
      version: Type.String(),
      at: Time,
      outcome: Type.Enum(['completed', 'failed']),
      by: Type.Enum(['account', 'service', 'operator', 'nobody'], {
        description: '`service`: check runs of this service. `nobody`: a deleted account.',
      }),
      href: Type.String({ description: 'The receipt. Verify it with `capstan verify`.' }),
    }),
    { description: 'The last 50. Runs over private connections are not listed.' },
  ),
});

const SUBJECT = 'skill/json-diff';

export const proofContract = {
  get: operation({
    id: 'marketplace.proof.get',
    method: 'GET',
    path: '/api/marketplace/proof/{subject}',
    wildcard: 'subject',
    summary: 'Get the evidence for a verification level',
    description:
      'Each version that ran here, its levels with expiry, and the receipts of its runs. A subject is ' +
      'the name in receipts: `skill/<name>`, `listing/<provider>/<external_id>` or `capability/<id>`. `evidence` in ' +
      '`verification` links here.',
    access: 'public',
    params: Type.Object({
      subject: Type.String({ minLength: 1, maxLength: 1_200, description: 'Subject as in receipts.' }),
    }),
    examples: { subject: SUBJECT },
    answers: {
      200: jsonAnswer('The evidence.', ProofShape, {
        subject: SUBJECT,
        versions: [
          {
            version: '1.0.0',
            sha256: '9d4e1f2a3b4c5d6e7f8091a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d5e6',
            level: 'ran',
            levels: [{ level: 'ran', since: '2026-04-02T10:00:00.000Z', expires_at: '2026-07-12T08:30:00.000Z' }],
            runs: 7,
            completed: 6,
            callers: 3,
            last_run_at: '2026-04-13T08:30:00.000Z',
          },
        ],
        receipts: [
          {
            id: '0199a3c4-7d1e-7c2a-9b1f-3f0e5d6c7b8a',
            version: '1.0.0',
            at: '2026-04-13T08:30:00.000Z',
            outcome: 'completed',
            by: 'account',
            href: '/api/receipts/0199a3c4-7d1e-7c2a-9b1f-3f0e5d6c7b8a',
          },
        ],
      }),
    },
    problems: ['marketplace.not_found'],
  }),
};
