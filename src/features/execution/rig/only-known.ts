import type { Around, Tool } from '../../../platform/llm/converse.ts';

/** A call of what the rig does not allow is told by its code, to the model and in the trace; nothing is called. */
export const TOOL_NOT_ALLOWED = 'rigs.tool_not_allowed';

export const onlyKnown = (around: Around, tools: readonly Tool[]): Around => ({
  request: around.request,
  tool: (call, act) => {
    if (tools.some(({ name }) => name === call.name)) return around.tool(call, act);
    const text = `${TOOL_NOT_ALLOWED}: the rig does not allow ${JSON.stringify(call.name.slice(0, 100))}.`;
    return around.tool(call, async () => ({ text, failed: true }));
  },
});
