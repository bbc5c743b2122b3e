import { type Handler, json } from '#core/http/operation.ts';
import { makeHarness } from './change-harnesses.ts';
import type { harnessesContract } from './contract.ts';
import { madeAnswer } from './harness-line.ts';
import type { HarnessesDeps } from './usage.ts';

/** POST /api/harnesses */
export const createHarness =
  (deps: HarnessesDeps): Handler<typeof harnessesContract.create> =>
  async ({ body, caller }) => {
    const made = await makeHarness(deps, caller.user_id, body);
    return json(madeAnswer(made), { status: 201, headers: { location: `/api/harnesses/${made.harness.id}` } });
  };
