import { type Handler, json } from '#core/http/operation.ts';
import { writeContext } from './context.ts';
import type { harnessesContract } from './contract.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';

/** POST /api/harnesses/{id}/context */
export const updateContext =
  (deps: HarnessesDeps): Handler<typeof harnessesContract.updateContext> =>
  async ({ params: { id }, body, caller }) => {
    const [block = null] = await writeContext(deps, { user_id: caller.user_id, ref: id }, [body]);
    return json({ block });
  };
