import { MINE_PATH } from '#connections/endpoints/choose.ts';
import { jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The MCP server with the tools of a user's own connections. The protocol defines the messages. */

const Message = Type.Record(Type.String(), Type.Unknown(), {
  description: 'One JSON-RPC 2.0 message of the Model Context Protocol.',
});

export const mineContract = {
  sendMessage: operation({
    id: 'surfaces.mine.sendMessage',
    method: 'POST',
    path: MINE_PATH,
    summary: 'Send an MCP message to your own servers',
    description:
      'Streamable HTTP, revisions 2026-07-28, 2025-11-25 and earlier, with the token of an endpoint ' +
      '(`POST /api/sessions/endpoints`). Tools are called `<prefix>__<tool>`. If there are more than 40, `search_tools` and ' +
      '`call_tool` are listed instead. Servers that cannot be listed in time are named in `_meta` of the list. Every call has ' +
      'a trace and a receipt.',
    access: 'public',
    limit: 'mcp',
    error_form: 'jsonrpc',
    reads: 'text',
    body: Message,
    body_example: { jsonrpc: '2.0', id: 1, method: 'ping' },
    answers: {
      200: {
        description: 'The response, as an event stream if notifications precede it.',
        content: {
          ...jsonContent(Message, { jsonrpc: '2.0', id: 1, result: {} }),
          'text/event-stream': {
            schema: Type.String(),
            example: 'event: message\ndata: {"jsonrpc":"2.0","id":1,"result":{}}\n\n',
          },
        },
      },
      202: { description: 'Notification accepted.', content: {} },
    },
    problems: [
      'auth.token_required',
      'auth.token_invalid',
      'users.forbidden',
      'http.forbidden',
      'mcp.session_not_found',
    ],
  }),
};
