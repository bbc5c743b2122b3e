import type { AuthDeps } from '#accounts/auth/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import { answerProofOfWork } from './answer.ts';
import type { proofOfWorkContract } from './contract.ts';
import { createProofOfWork } from './create.ts';

export const proofOfWorkRoutes = (deps: AuthDeps): Routes<typeof proofOfWorkContract> => ({
  create: createProofOfWork(deps),
  answer: answerProofOfWork(deps),
});
