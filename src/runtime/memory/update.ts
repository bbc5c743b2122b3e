import { type Handler, json } from '#core/http/operation.ts';
import { changeUnclear } from '#runtime/harnesses/refusals.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import { deleteMemory, redactMemory, restoreMemory, writeMemories } from './change-memories.ts';
import type { memoryContract } from './contract.ts';
import { readPath } from './memory-path.ts';

const CHANGES = ['content', 'restore', 'delete', 'redact'] as const;

/** POST /api/harnesses/{id}/memory/{path} */
export const updateMemory =
  (deps: HarnessesDeps): Handler<typeof memoryContract.update> =>
  async ({ params, body, caller }) => {
    const path = readPath(params.path);
    if (CHANGES.filter((change) => body[change] !== undefined).length !== 1) throw changeUnclear(CHANGES);
    const { content, restore, redact, if_sha256, note } = body;
    const ref = { user_id: caller.user_id, ref: params.id };
    const one = { path, if_sha256, note };
    if (restore !== undefined) return json(await restoreMemory(deps, ref, { ...one, ...restore }));
    if (redact !== undefined) return json(await redactMemory(deps, ref, { ...one, ...redact }));
    if (content === undefined) return json(await deleteMemory(deps, ref, one));
    const [changed] = await writeMemories(deps, ref, [{ ...one, content }]);
    return json(changed);
  };
