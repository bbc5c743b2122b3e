import type { Owned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import {
  LIST_ORDER,
  offersNone,
  READ_ORDER,
  type RequestFrom,
  requireFewItems,
  requireText,
  tracedRequest,
} from '#connections/connections/traced-request.ts';

/** Prompts of a connection's server, for operations and model tools. */

export async function seenPrompts(deps: ConnectionsDeps, of: Owned, from: RequestFrom) {
  const request = { method: 'prompts/list', target: '', ...LIST_ORDER, ...from } as const;
  const { value, about } = await tracedRequest(deps, of, request, ({ listPrompts }) => listPrompts());
  requireFewItems(value.length, 'prompts');
  const items = value.map(({ name, title = '', description = '', arguments: args = [] }) => ({
    name,
    title,
    description,
    arguments: args.map((argument) => ({
      name: argument.name,
      description: argument.description ?? '',
      required: argument.required === true,
    })),
  }));
  return { items, total_count: items.length, ...about };
}

interface Wanted {
  prompt: string;
  arguments: Record<string, string>;
}

/** Throws `connections.not_found` (`prompt`) if the server offers no prompts at all. */
export async function readPrompt(deps: ConnectionsDeps, of: Owned, wanted: Wanted, from: RequestFrom) {
  const { prompt: name, arguments: args } = wanted;
  requireText('', wanted);
  const request = { method: 'prompts/get', target: name, given: args, ...READ_ORDER, ...from } as const;
  const { value, about, connection } = await tracedRequest(deps, of, request, (session, traceparent) =>
    session.getPrompt({ name, arguments: args, traceparent }),
  );
  if (value === null) throw offersNone(connection, 'prompt');
  const { description = '', messages } = value;
  return {
    connection,
    answer: { description, messages: messages.map(({ role, content }) => ({ role, content })), ...about },
  };
}
