import { type Handler, json } from '#core/http/operation.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import { writeMemories as write } from './change-memories.ts';
import type { memoryContract } from './contract.ts';

/** POST /api/harnesses/{id}/memory */
export const writeMemories =
  (deps: HarnessesDeps): Handler<typeof memoryContract.write> =>
  async ({ params: { id }, body: { memories }, caller }) => {
    const writes = memories.map((memory, index) => ({ ...memory, pointer: `/memories/${index}` }));
    return json({ items: await write(deps, { user_id: caller.user_id, ref: id }, writes) });
  };
