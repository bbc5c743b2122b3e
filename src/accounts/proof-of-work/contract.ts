import { jsonAnswer, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The proof of work of new accounts. */

const CHALLENGE =
  '8c1f0e2d3b4a.019a8c1e-7f00-7000-8000-3b1f6f4f9a10.20.1776161400000.9f86d081884c7d659a2feaa0.bP2n1Yq3mZ0kLr8sT5uVwXyA7cD9eF1gH3iJ5kL7mN8';

export const proofOfWorkContract = {
  create: operation({
    id: 'accounts.proofOfWork.create',
    method: 'POST',
    path: '/api/auth/proof-of-work',
    summary: 'Request a proof-of-work challenge',
    description:
      'New wallet accounts must solve a challenge before using language models or running third-party ' +
      'capabilities. Find a `nonce` for which the SHA-256 of `<challenge>:<nonce>` begins with ' +
      '`difficulty_bits` zero bits, and submit it within ten minutes. Confirming an email address or ' +
      'linking Google also verifies the account. The SDK, CLI and web pages solve challenges automatically.',
    access: 'jwt',
    limit: 'wallet',
    answers: {
      200: jsonAnswer(
        'The challenge.',
        Type.Object({
          challenge: Type.String({ description: 'Challenge string, valid for this account only.' }),
          algorithm: Type.Literal('sha-256'),
          difficulty_bits: Type.Integer({ minimum: 0, maximum: 32 }),
          expires_at: Type.String({ format: 'date-time' }),
        }),
        {
          challenge: CHALLENGE,
          algorithm: 'sha-256',
          difficulty_bits: 20,
          expires_at: '2026-04-14T10:10:00.000Z',
        },
      ),
    },
    problems: [],
  }),
  answer: operation({
    id: 'accounts.proofOfWork.answer',
    method: 'POST',
    path: '/api/auth/proof-of-work/answer',
    summary: 'Submit a proof-of-work solution',
    description: 'Verifies the account. Submitting again has no effect.',
    access: 'jwt',
    limit: 'wallet',
    body: Type.Object(
      {
        challenge: Type.String({ minLength: 1, maxLength: 400 }),
        nonce: Type.String({ minLength: 1, maxLength: 64, pattern: '^[\\x21-\\x7e]+$' }),
      },
      { additionalProperties: false },
    ),
    body_example: { challenge: CHALLENGE, nonce: '1048575' },
    answers: {
      200: jsonAnswer('Account verified.', Type.Object({ status: Type.Literal('proven') }), { status: 'proven' }),
    },
    problems: ['auth.proof_of_work_invalid'],
  }),
};
