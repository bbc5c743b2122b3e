import { Type } from '#core/json-schema/type.ts';
import { ownerOf } from '#core/tools/owner.ts';
import type { ToolCall } from '#core/tools/tool.ts';
import { findHarness, type Harness } from './harnesses.ts';
import { noSuchHarness } from './refusals.ts';
import type { HarnessesDeps } from './usage.ts';

/** How tools name a harness of the caller. */
export const HarnessArgument = Type.String({ minLength: 1, maxLength: 100, description: 'Its id or name.' });

export async function ownHarness({ db }: Pick<HarnessesDeps, 'db'>, ref: string, call: ToolCall): Promise<Harness> {
  const harness = await findHarness(db, { user_id: ownerOf(call), ref });
  if (harness === undefined) throw noSuchHarness();
  return harness;
}
