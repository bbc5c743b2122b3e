import type { Routes } from '../../platform/http/operation.ts';
import { answerProofOfWork } from './answer-proof-of-work.ts';
import type { proofOperations } from './contract-proof.ts';
import { createProofOfWork } from './create-proof-of-work.ts';
import type { AuthDeps } from './deps.ts';

export const proofRoutes = (deps: AuthDeps): Routes<typeof proofOperations> => ({
  createProofOfWork: createProofOfWork(deps),
  answerProofOfWork: answerProofOfWork(deps),
});
