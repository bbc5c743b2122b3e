import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The proof of work of new accounts, as data. */

const CHALLENGE =
  '8c1f0e2d3b4a.019a8c1e-7f00-7000-8000-3b1f6f4f9a10.20.1776161400000.9f86d081884c7d659a2feaa0.bP2n1Yq3mZ0kLr8sT5uVwXyA7cD9eF1gH3iJ5kL7mN8';

export const proofOfWorkContract = {
  create: operation({
    id: 'accounts.proofOfWork.create',
    method: 'POST',
    path: '/api/auth/proof-of-work',
    summary: 'Request a proof-of-work challenge',
    description:
      'A new wallet account does a proof of work before it uses language models or runs what others published. Find a ' +
      '`nonce` with which the SHA-256 of `<challenge>:<nonce>` begins with `difficulty_bits` zero bits, and answer within ' +
      'ten minutes. Confirming an email address or linking Google does as well. The SDK, the command line and the pages ' +
      'do it automatically.',
    access: 'jwt',
    limit: 'wallet',
    answers: {
      200: {
        description: 'The challenge.',
        content: {
          'application/json': {
            schema: Type.Object({
              challenge: Type.String({ description: 'Names the account; it proves no other.' }),
              algorithm: Type.Literal('sha-256'),
              difficulty_bits: Type.Integer({ minimum: 0, maximum: 32 }),
              expires_at: Type.String({ format: 'date-time' }),
            }),
            example: {
              challenge: CHALLENGE,
              algorithm: 'sha-256',
              difficulty_bits: 20,
              expires_at: '2026-04-14T10:10:00.000Z',
            },
          },
        },
      },
    },
    problems: [],
  }),
  answer: operation({
    id: 'accounts.proofOfWork.answer',
    method: 'POST',
    path: '/api/auth/proof-of-work/answer',
    summary: 'Answer a proof-of-work challenge',
    description: 'The account is proven from then on. Answering again changes nothing.',
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
      200: {
        description: 'The account is proven.',
        content: {
          'application/json': {
            schema: Type.Object({ status: Type.Literal('proven') }),
            example: { status: 'proven' },
          },
        },
      },
    },
    problems: ['auth.proof_of_work_invalid'],
  }),
};
