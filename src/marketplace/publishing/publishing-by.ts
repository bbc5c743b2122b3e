import { ownerOf } from '#core/tools/owner.ts';
import type { ToolCall } from '#core/tools/tool.ts';
import type { Publishing } from './publish-version.ts';

/** The publishing account of a tool call. */
export const publishingBy = ({ caller }: Pick<ToolCall, 'caller'>): Publishing => ({
  user_id: ownerOf({ caller }),
  is_operator: caller?.is_operator === true,
});
