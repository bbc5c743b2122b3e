import { type Handler, json } from '#core/http/operation.ts';
import { dropHarness, makeVersion } from './change-harnesses.ts';
import type { harnessesContract } from './contract.ts';
import { madeAnswer } from './harness-line.ts';
import { changeUnclear } from './refusals.ts';
import type { HarnessesDeps } from './usage.ts';

/** POST /api/harnesses/{id} */
export const updateHarness =
  (deps: HarnessesDeps): Handler<typeof harnessesContract.update> =>
  async ({ params: { id }, body, caller }) => {
    const { files, if_digest, note } = body;
    const ref = { user_id: caller.user_id, ref: id };
    if ((files === undefined) === (body.delete === undefined)) throw changeUnclear(['files', 'delete']);
    if (files === undefined) {
      const harness = await dropHarness(deps, ref, if_digest);
      return json(madeAnswer({ harness, is_new: false, warnings: [] }));
    }
    const made = await makeVersion(deps, ref, { files, if_digest, note });
    return json(madeAnswer(made), { status: made.is_new ? 201 : 200 });
  };
