import type { Around, Tool } from '#core/llm/converse.ts';
import { type Message, type ToolCall, toolMessage } from '#core/llm/model.ts';

/** A call of a tool that the rig does not allow is reported to the model and in the trace; nothing is called. */
const TOOL_NOT_ALLOWED = 'rigs.tool_not_allowed';

export function onlyKnown(around: Around, tools: readonly Tool[]): Around {
  const isKnown = (name: string) => tools.some((tool) => tool.name === name);
  const refuse = (call: ToolCall) => {
    const text = `${TOOL_NOT_ALLOWED}: the rig does not allow ${JSON.stringify(call.name)}.`;
    return around.tool(call, async () => ({ text, failed: true }));
  };
  return {
    tool: (call, act) => (isKnown(call.name) ? around.tool(call, act) : refuse(shortened(call))),
    request: async (request, act) => {
      const answer = await around.request(request, act);
      const messages: Message[] = [];
      for (const message of answer.messages) messages.push(await retold(message, isKnown, refuse));
      return { ...answer, messages };
    },
  };
}

const shortened = ({ name, ...call }: ToolCall): ToolCall => ({ ...call, name: name.slice(0, 100) });

/** The library handles calls of unknown tools itself, and lists all known tools. */
async function retold(
  message: Message,
  isKnown: (name: string) => boolean,
  refuse: (call: ToolCall) => Promise<{ text: string }>,
): Promise<Message> {
  if (message.role !== 'tool') return message;
  const content = [];
  for (const part of message.content) {
    if (part.type !== 'tool-result' || isKnown(part.toolName)) {
      content.push(part);
      continue;
    }
    const { toolCallId: id, toolName: name } = part;
    const { text } = await refuse(shortened({ id, name, input: null }));
    const [said] = toolMessage([{ call: { id, name, input: null }, text, failed: true }]).content;
    content.push(said as (typeof message.content)[number]);
  }
  return { ...message, content };
}
