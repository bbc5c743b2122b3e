import { type Message, userMessage } from '#core/llm/model.ts';
import { splitModelId } from '#core/llm/settings.ts';
import type { ChatMessage, Turn } from './turn.ts';

/** The earlier turns for a model: the newest, as many as fit. Pure. */

/** Characters of all earlier turns together. */
const MOST = 160_000;

export function historyOf(turns: readonly Turn[], model: string): Message[] {
  let left = MOST;
  const kept: Message[][] = [];
  for (const turn of turns.toReversed()) {
    const messages = messagesOf(turn, model);
    left -= JSON.stringify(messages).length;
    // Only whole turns, because providers reject a call without its result.
    if (left < 0) break;
    kept.push(messages);
  }
  return kept.reverse().flat();
}

const providerOf = (id: string): string => splitModelId(id)[0];

function messagesOf(turn: Turn, model: string): Message[] {
  const said = turn.input.map(messageOf);
  if (turn.status !== 'completed' || turn.messages.length === 0)
    return [...said, { role: 'assistant', content: rest(turn) }];
  const same = providerOf(turn.model) === providerOf(model);
  return [...said, ...(same ? turn.messages : turn.messages.map(portable))];
}

export const messageOf = ({ role, content }: ChatMessage): Message =>
  role === 'user' ? userMessage(content) : { role, content };

function rest({ message, status, error, steps }: Turn): string {
  const done = steps
    .filter((step) => step.status === 'completed')
    .map(({ tool, run }) => `${tool}${run === null ? '' : ` ${run.task_id}`}`);
  const note = `(This turn ended as ${status}${error === null ? '' : `: ${error.code}`}.${done.length === 0 ? '' : ` Already executed: ${done.join(', ')}.`})`;
  return `${message}\n${note}`.trim();
}

/** Without data that only its own provider understands, such as reasoning. */
function portable(message: Message): Message {
  const { providerOptions: _, ...plain } = message;
  if (!Array.isArray(plain.content)) return plain as Message;
  const parts = (plain.content as { type: string }[]).filter(({ type }) =>
    ['text', 'tool-call', 'tool-result'].includes(type),
  );
  const bare = parts.map(({ providerOptions: __, ...part }: { type: string; providerOptions?: unknown }) => part);
  return { ...plain, content: bare } as unknown as Message;
}
