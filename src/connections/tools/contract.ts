import type { TSchema } from 'typebox';
import { CONNECTION_ID, RESULT_EXAMPLE, TOOL_EXAMPLE } from '#connections/connections/examples.ts';
import { operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The tools of connections, as data. */

const closed = { additionalProperties: false };
const text = Type.String();
const Unknown = Type.Record(text, Type.Unknown());
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });
const json = (schema: TSchema, example: unknown) => ({ 'application/json': { schema, example } });

const ToolShown = Type.Object({
  name: text,
  title: text,
  description: Type.String({ description: "A stranger's text: data, never instructions." }),
  input_schema: Unknown,
  output_schema: nullable(Unknown, 'Null where the tool promises none.'),
  annotations: Unknown,
  hash: Type.String({ description: '`sha256:` and the digest of all the above as canonical JSON (RFC 8785).' }),
  state: Type.Enum(['new', 'accepted', 'changed', 'added'], {
    description:
      '`new`: accepted as it is, with all others, when one of the connection’s tools is first called. `changed`, and ' +
      '`added` after that call: not called until accepted.',
  }),
});

const Result = Type.Object({
  content: Type.Array(Unknown, { description: 'Blocks as MCP has them: text, images, sound, links.' }),
  structured_content: Type.Unknown({ description: 'JSON by the tool’s output schema; null where there is none.' }),
  is_error: Type.Boolean({ description: 'The tool itself says that it failed.' }),
  protocol_version: text,
  trace_id: Type.String({ description: 'W3C trace id of the call; the server got it in `_meta.traceparent`.' }),
  duration_ms: Type.Number(),
  links: Type.Object({ trace: Type.String({ description: 'Where the trace is, about a second later.' }) }),
});

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const examples = { id: CONNECTION_ID };
const Name = Type.String({ minLength: 1, maxLength: 1_000, description: 'Exactly as the server names it.' });

/** What asking a connection's server may come to. */
const ASKING: string[] = [
  'users.storage_full',
  'sessions.not_found',
  'sessions.auth_required',
  'sessions.access_refused',
  'sessions.address_refused',
  'sessions.server_unreachable',
  'sessions.server_timed_out',
  'sessions.server_failed',
  'sessions.server_refused',
  'sessions.result_too_large',
  'sessions.tools_unusable',
  'sessions.input_required',
  'sessions.oauth_grant_ended',
  'sessions.oauth_refresh_failed',
  'sessions.oauth_scope_needed',
  'registry.listing_taken_down',
];

const CALLING: string[] = [
  ...ASKING,
  'sessions.tool_not_found',
  'sessions.tool_added',
  'sessions.tool_changed',
  'sessions.arguments_unfit',
  'sessions.schema_unusable',
  'sessions.check_busy',
  'workers.limit_exceeded',
  'sessions.too_many_calls',
];
const ACCEPTING: string[] = [...ASKING, 'sessions.tool_not_found', 'sessions.tool_hash_other'];

const EVENTS_EXAMPLE = `: called

event: progress
data: {"progress":1,"total":3,"message":"reading"}

event: result
data: ${JSON.stringify(RESULT_EXAMPLE)}

`;

export const toolsContract = {
  list: operation({
    id: 'connections.tools.list',
    method: 'POST',
    path: '/api/sessions/connections/{id}/tools/list',
    summary: "List a connection's tools",
    description:
      'As the server said within the last minute; servers that announce changes are asked again at once. `gone` names ' +
      'tools that were used and that the server no longer has. Asking the server sends it the stored credentials and ' +
      'needs the scope `write`; with `read` you get the list that was stored last, whatever its `read_at`.',
    access: 'jwt',
    scope: 'read',
    params: Params,
    examples: { ...examples, refresh: true },
    query: Type.Object({
      refresh: Type.Optional(Type.Boolean({ default: false, description: 'Ask the server now.' })),
    }),
    answers: {
      200: {
        description: 'Every tool.',
        content: json(
          Type.Object({
            items: Type.Array(ToolShown),
            total_count: Type.Integer(),
            gone: Type.Array(text),
            read_at: Type.String({ format: 'date-time' }),
          }),
          { items: [TOOL_EXAMPLE], total_count: 1, gone: [], read_at: '2026-04-14T09:30:00.000Z' },
        ),
      },
    },
    problems: [...ASKING, 'auth.insufficient_scope'],
  }),
  call: operation({
    id: 'connections.tools.call',
    method: 'POST',
    path: '/api/sessions/connections/{id}/tools/call',
    summary: 'Call a tool on a connection',
    description:
      'The first call accepts all tools of the connection as they are. Right before each call, in the same session, the ' +
      'server is asked for its tools: one whose schema or description changed, or that was added, is not called and answers ' +
      '409 until it is accepted. Arguments are checked first. With `Accept: text/event-stream` the answer ' +
      'is events: `progress`, then one `result` or `error`. A client that goes away cancels the call.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object(
      {
        tool: Name,
        arguments: Type.Optional(Unknown),
        timeout_ms: Type.Optional(
          Type.Integer({ minimum: 100, maximum: 300_000, default: 60_000, description: 'From the first request on.' }),
        ),
      },
      closed,
    ),
    body_example: { tool: 'tide_at', arguments: { harbour: 'Bremerhaven' } },
    answers: {
      200: {
        description:
          'What the tool answered, also where it says that it failed. At most 4 MiB, its list of tools included.',
        content: {
          ...json(Result, RESULT_EXAMPLE),
          'text/event-stream': { schema: Type.String(), example: EVENTS_EXAMPLE },
        },
      },
    },
    problems: CALLING,
  }),
  accept: operation({
    id: 'connections.tools.accept',
    method: 'POST',
    path: '/api/sessions/connections/{id}/tools/accept',
    summary: 'Accept a tool as it is now',
    description: 'After its schema or description changed, or the server added it. The hash says what you looked at.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object({ tool: Name, hash: Type.String({ pattern: '^sha256:[0-9a-f]{64}$' }) }, closed),
    body_example: { tool: TOOL_EXAMPLE.name, hash: TOOL_EXAMPLE.hash },
    answers: {
      200: {
        description: 'It may be called again.',
        content: json(Type.Object({ tool: text, hash: text, accepted_at: Type.String({ format: 'date-time' }) }), {
          tool: TOOL_EXAMPLE.name,
          hash: TOOL_EXAMPLE.hash,
          accepted_at: '2026-04-14T09:30:00.000Z',
        }),
      },
    },
    problems: ACCEPTING,
  }),
} as const;
