import type { Routes } from '#core/http/operation.ts';
import { cancelTrial } from './cancel.ts';
import type { trialsContract } from './contract.ts';
import { createTrial } from './create.ts';
import { type ExampleDeps, getExample } from './get-example.ts';
import { getTrialStatus } from './get-status.ts';

export const trialsRoutes = (deps: ExampleDeps): Routes<typeof trialsContract> => ({
  create: createTrial(deps),
  cancel: cancelTrial(deps),
  getStatus: getTrialStatus(deps),
  getExample: getExample(deps),
});
