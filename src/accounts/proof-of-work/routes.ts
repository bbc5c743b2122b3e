import type { Routes } from '#core/http/operation.ts';
import { answerProofOfWork } from './answer.ts';
import type { proofOperations } from './contract.ts';
import { createProofOfWork } from './create.ts';
import type { AuthDeps } from '#accounts/auth/deps.ts';

export const proofRoutes = (deps: AuthDeps): Routes<typeof proofOperations> => ({
  createProofOfWork: createProofOfWork(deps),
  answerProofOfWork: answerProofOfWork(deps),
});
