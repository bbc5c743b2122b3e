import { type Handler, json } from '#core/http/operation.ts';
import { findHarness } from '#runtime/harnesses/harnesses.ts';
import { noSuchHarness } from '#runtime/harnesses/refusals.ts';
import type { HarnessesDeps } from '#runtime/harnesses/usage.ts';
import { readContext } from './context.ts';
import type { contextContract } from './contract.ts';

/** GET /api/harnesses/{id}/context */
export const getContext =
  ({ db }: HarnessesDeps): Handler<typeof contextContract.get> =>
  async ({ params: { id }, caller }) => {
    const harness = await findHarness(db, { user_id: caller.user_id, ref: id });
    if (harness === undefined) throw noSuchHarness();
    return json({ items: await readContext(db, harness.number) });
  };
