import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import type { Routes } from '#core/http/operation.ts';
import { answerQuestion } from './answer.ts';
import type { questionsContract } from './contract.ts';

export const questionsRoutes = (deps: ConnectionsDeps): Routes<typeof questionsContract> => ({
  answer: answerQuestion(deps),
});
