import type { TSchema } from 'typebox';
import { MCP_PATH, SHORT_MCP_PATH } from '#accounts/auth/resources.ts';
import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The MCP endpoint. The protocol defines the messages. */

const AUTH = Type.Enum(['none', 'jwt'], { description: '`jwt`: requires a token or API key.' });
const anything = (description: string) => Type.Record(Type.String(), Type.Unknown(), { description });

const Message = anything('One JSON-RPC 2.0 message of the Model Context Protocol.');
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

const ToolItem = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  auth: AUTH,
  scope: Type.Union([Type.String(), Type.Null()], { description: 'Required scope.' }),
  input_schema: anything('JSON Schema of its arguments.'),
  output_schema: anything('JSON Schema of its structured result.'),
  annotations: Type.Object({
    read_only: Type.Boolean(),
    destructive: Type.Boolean(),
    idempotent: Type.Boolean(),
    open_world: Type.Boolean(),
  }),
  example: anything('Working example arguments.'),
});

const ResourceItem = Type.Object({
  uri_template: Type.String({ description: 'RFC 6570: `{name}` excludes slashes, `{+path}` allows them.' }),
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  media_type: Type.Union([Type.String(), Type.Null()]),
  auth: AUTH,
});

const PromptItem = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  arguments: Type.Array(Type.Object({ name: Type.String(), description: Type.String(), required: Type.Boolean() })),
  auth: AUTH,
});

const listOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), total_count: Type.Integer({ minimum: 0 }) });

export const mcpContract = {
  sendMessage: operation({
    id: 'surfaces.mcp.sendMessage',
    method: 'POST',
    path: MCP_PATH,
    also: [SHORT_MCP_PATH],
    summary: 'Send an MCP message',
    description:
      'Streamable HTTP, also at `/mcp`, revisions 2026-07-28, 2025-11-25 and earlier. Without a credential only ' +
      'public tools are available. Clients that declare elicitation or sampling get a session; others do not need one.',
    access: 'optional',
    scope: 'read',
    protected_resource: true,
    limit: 'mcp',
    error_form: 'jsonrpc',
    reads: 'text',
    body: Message,
    body_example: PING,
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
    problems: ['auth.token_required', 'http.forbidden', 'mcp.session_not_found'],
  }),
  openStream: operation({
    id: 'surfaces.mcp.openStream',
    method: 'GET',
    path: MCP_PATH,
    also: [SHORT_MCP_PATH],
    summary: 'Open the stream of an MCP session',
    description: 'Requests and notifications from the server. 405 without the header `Mcp-Session-Id`.',
    access: 'optional',
    scope: 'read',
    protected_resource: true,
    error_form: 'jsonrpc',
    answers: {
      200: {
        description: 'Event stream until the session ends.',
        content: { 'text/event-stream': { schema: Type.String(), example: ': listening\n\n' } },
      },
    },
    problems: ['auth.token_required', 'http.method_not_allowed', 'http.forbidden', 'mcp.session_not_found'],
  }),
  endSession: operation({
    id: 'surfaces.mcp.endSession',
    method: 'DELETE',
    path: MCP_PATH,
    also: [SHORT_MCP_PATH],
    summary: 'End an MCP session',
    description: 'Ends the session in the header `Mcp-Session-Id`. 405 without it.',
    access: 'optional',
    scope: 'read',
    protected_resource: true,
    error_form: 'jsonrpc',
    answers: { 200: { description: 'Session ended.', content: {} } },
    problems: ['auth.token_required', 'http.method_not_allowed', 'http.forbidden', 'mcp.session_not_found'],
  }),
  listTools: operation({
    id: 'surfaces.mcp.listTools',
    method: 'GET',
    path: '/mcp/tools',
    summary: 'List all MCP tools',
    description:
      'All tools with their requirements. `tools/list` at the endpoint returns only those the caller may call.',
    access: 'public',
    answers: {
      200: jsonAnswer('The tools.', listOf(ToolItem), {
        items: [
          {
            name: 'registry_search',
            title: 'Search capabilities',
            description: 'Finds MCP servers and agent skills by function.',
            auth: 'none',
            scope: null,
            input_schema: { type: 'object', required: ['query'], properties: { query: { type: 'string' } } },
            output_schema: { type: 'object' },
            annotations: { read_only: true, destructive: false, idempotent: true, open_world: false },
            example: { query: 'weather' },
          },
        ],
        total_count: 1,
      }),
    },
    problems: [],
  }),
  listResources: operation({
    id: 'surfaces.mcp.listResources',
    method: 'GET',
    path: '/mcp/resources',
    summary: 'List all MCP resources',
    description: 'Resource templates. Private resources are readable only by their owner.',
    access: 'public',
    answers: {
      200: jsonAnswer('The templates.', listOf(ResourceItem), {
        items: [
          {
            uri_template: 'skill://{name}/{+path}',
            name: 'skill-file',
            title: 'File of a skill',
            description: 'A file of a first-party skill.',
            media_type: null,
            auth: 'none',
          },
        ],
        total_count: 1,
      }),
    },
    problems: [],
  }),
  listPrompts: operation({
    id: 'surfaces.mcp.listPrompts',
    method: 'GET',
    path: '/mcp/prompts',
    summary: 'List all MCP prompts',
    description: 'Prompts for users to select in their client, with arguments.',
    access: 'public',
    answers: {
      200: jsonAnswer('The prompts.', listOf(PromptItem), {
        items: [
          {
            name: 'find-and-run',
            title: 'Find and run',
            description: 'Finds a capability and runs it.',
            arguments: [{ name: 'goal', description: 'The goal.', required: true }],
            auth: 'none',
          },
        ],
        total_count: 1,
      }),
    },
    problems: [],
  }),
};
