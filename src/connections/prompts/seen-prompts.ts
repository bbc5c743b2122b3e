import type { Owned } from '#connections/connections/connections.ts';
import type { ConnectionsDeps } from '#connections/connections/deps.ts';
import {
  LIST_ORDER,
  READ_ORDER,
  requireFewItems,
  requireText,
  type ServerRequest,
  tracedRequest,
} from '#connections/connections/traced-request.ts';
import { connectionsProblem } from '#connections/errors.ts';
import { plainName } from '#core/mcp/tool.ts';

/** Prompts of a connection's server, for operations and model tools. */

type From = Pick<ServerRequest, 'signal' | 'within' | 'traceparent' | 'on_step'>;

export async function seenPrompts(deps: ConnectionsDeps, of: Owned, from: From) {
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
export async function readPrompt(deps: ConnectionsDeps, of: Owned, wanted: Wanted, from: From) {
  const { prompt: name, arguments: args } = wanted;
  requireText('', wanted);
  const request = { method: 'prompts/get', target: name, given: args, ...READ_ORDER, ...from } as const;
  const { value, about, connection } = await tracedRequest(deps, of, request, (session, traceparent) =>
    session.getPrompt({ name, arguments: args, traceparent }),
  );
  if (value === null)
    throw connectionsProblem(
      'connections.not_found',
      `The server of ${plainName(connection.name)} offers no prompts.`,
      {
        reason: 'prompt',
      },
    );
  const { description = '', messages } = value;
  return {
    connection,
    answer: { description, messages: messages.map(({ role, content }) => ({ role, content })), ...about },
  };
}
