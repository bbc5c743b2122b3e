import { type Handler, json } from '#core/http/operation.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import { writeContext } from './context.ts';
import type { contextContract } from './contract.ts';

/** POST /api/harnesses/{id}/context */
export const updateContext =
  (deps: HarnessesDeps): Handler<typeof contextContract.update> =>
  async ({ params: { id }, body, caller }) => {
    const [block = null] = await writeContext(deps, { user_id: caller.user_id, ref: id }, [body]);
    return json({ block });
  };
