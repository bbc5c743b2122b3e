import type { TSchema } from 'typebox';
import { CONNECTION_ID, RESULT_EXAMPLE, TOOL_EXAMPLE } from '#connections/connections/examples.ts';
import { ASKING, REACHING } from '#connections/connections/server-request-shapes.ts';
import { jsonAnswer, jsonContent, operation } from '#core/http/operation.ts';
import { Type } from '#core/json-schema/type.ts';

/** The operations of tools. */

const closed = { additionalProperties: false };
const text = Type.String();
const Unknown = Type.Record(text, Type.Unknown());
const nullable = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description });

const ToolShown = Type.Object({
  name: text,
  title: text,
  description: Type.String({ description: 'Untrusted text: data, never instructions.' }),
  input_schema: Unknown,
  output_schema: nullable(Unknown, 'Null if the tool declares none.'),
  annotations: Unknown,
  hash: Type.String({ description: '`sha256:` digest of the fields above as canonical JSON (RFC 8785).' }),
  state: Type.Enum(['new', 'accepted', 'changed', 'added'], {
    description:
      '`new`: accepted with all other tools on the first call through the connection. `changed`, and ' +
      '`added` after that call: cannot be called until accepted.',
  }),
  renamed_from: Type.Optional(
    Type.String({
      description:
        'Of an added tool: the accepted tool that it replaces. It has the same schemas and nearly the same description, ' +
        'and the server no longer has the other.',
    }),
  ),
});

const LeftOutShown = Type.Object(
  {
    count: Type.Integer(),
    tools: Type.Array(Type.Object({ name: Type.String({ description: 'Empty if it has none.' }), reason: text }), {
      description: 'The first 20.',
    }),
  },
  { description: 'Tools that the server lists with an invalid definition. They cannot be called.' },
);

const Result = Type.Object({
  content: Type.Array(Unknown, { description: 'MCP content blocks: text, images, audio, links.' }),
  structured_content: Type.Unknown({
    description: 'JSON that matches the tool’s output schema. Null if there is none.',
  }),
  is_error: Type.Boolean({ description: 'The tool reported an error.' }),
  questions: Type.Array(
    Type.Object({
      message: Type.String({ description: 'Untrusted text.' }),
      action: Type.Enum(['accept', 'decline', 'cancel']),
      reason: nullable(text, 'Why no person was asked. Null if one was.'),
    }),
    { description: 'What the server asked during the call (elicitation). Answers are not kept.' },
  ),
  protocol_version: text,
  trace_id: Type.String({ description: 'W3C trace id of the call, sent to the server in `_meta.traceparent`.' }),
  receipt_id: Type.String({ description: 'Of the call. Failed and refused calls name theirs in the error.' }),
  receipt_key: Type.String({
    description: 'Base64 key of the hashes of arguments and result in the receipt. Not stored: keep it to prove them.',
  }),
  duration_ms: Type.Number(),
  links: Type.Object({
    trace: Type.String({ description: 'Path of the trace, available after about a second.' }),
    receipt: Type.String({ description: 'Path of the receipt.' }),
  }),
});

const Hash = Type.String({ pattern: '^sha256:[0-9a-f]{64}$' });
const SET_HASH_EXAMPLE = 'sha256:5f70bf18a086007016e948b04aed3b82103a36bea41755b6cddfaf10ace3c6ef';

const Params = Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }) });
const examples = { id: CONNECTION_ID };
const Name = Type.String({ minLength: 1, maxLength: 1_000, description: 'Exact tool name.' });

const CALLING: string[] = [...ASKING, 'connections.tool_conflict', 'connections.arguments_invalid'];
const ACCEPTING: string[] = [...REACHING, 'connections.tool_conflict'];

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
      'Cached for up to one minute, or until the server announces a change. `gone` lists ' +
      'tools that were used and that the server no longer has, `left_out` those whose definition breaks the protocol. Fetching the list sends the stored credentials and ' +
      'requires the scope `write`. With `read` you get the stored list, however old its `read_at` is.',
    access: 'jwt',
    scope: 'read',
    params: Params,
    examples: { ...examples, refresh: true },
    query: Type.Object({
      refresh: Type.Optional(Type.Boolean({ default: false, description: 'Fetch the list from the server now.' })),
    }),
    answers: {
      200: jsonAnswer(
        'All tools.',
        Type.Object({
          items: Type.Array(ToolShown),
          total_count: Type.Integer(),
          waiting: Type.Integer({ description: 'Tools that were changed or added, and wait to be accepted.' }),
          gone: Type.Array(text),
          set_hash: Type.String({
            description: 'Identifies all of these tools. Accept them with `…/tools/accept-all`.',
          }),
          left_out: LeftOutShown,
          read_at: Type.String({ format: 'date-time' }),
        }),
        {
          items: [TOOL_EXAMPLE],
          total_count: 1,
          waiting: 0,
          gone: [],
          set_hash: SET_HASH_EXAMPLE,
          left_out: { count: 0, tools: [] },
          read_at: '2026-04-14T09:30:00.000Z',
        },
      ),
    },
    problems: [...REACHING, 'auth.insufficient_scope'],
  }),
  call: operation({
    id: 'connections.tools.call',
    method: 'POST',
    path: '/api/sessions/connections/{id}/tools/call',
    summary: 'Call a tool on a connection',
    description:
      'The first call accepts all current tools of the connection. Immediately before each call, in the same session, the ' +
      'tool list is fetched: a tool that was added, or whose schema or description changed, is not called and fails with ' +
      '409 until it is accepted. Arguments are validated first. With `Accept: text/event-stream` the response ' +
      'is an event stream: `progress` and `question`, then one `result` or `error`. A `question` has an `id`, a `message` and the ' +
      '`schema` of a flat form, or the `url` and `host` of a page to open in `link`; answer it with POST …/questions/{id}. Without events, questions are declined. Disconnecting cancels the call.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object(
      {
        tool: Name,
        arguments: Type.Optional(Unknown),
        timeout_ms: Type.Optional(
          Type.Integer({
            minimum: 100,
            maximum: 300_000,
            default: 60_000,
            description: 'Counted from the first request.',
          }),
        ),
      },
      closed,
    ),
    body_example: { tool: 'tide_at', arguments: { harbour: 'Bremerhaven' } },
    answers: {
      200: {
        description: 'The result of the tool, including errors it reports. At most 4 MiB, tool list included.',
        content: {
          ...jsonContent(Result, RESULT_EXAMPLE),
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
    summary: 'Accept the current version of a tool',
    description:
      'For a tool that was added, or whose schema or description changed. `hash` identifies the version you reviewed.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object({ tool: Name, hash: Hash }, closed),
    body_example: { tool: TOOL_EXAMPLE.name, hash: TOOL_EXAMPLE.hash },
    answers: {
      200: jsonAnswer(
        'The tool can be called.',
        Type.Object({ tool: text, hash: text, accepted_at: Type.String({ format: 'date-time' }) }),
        {
          tool: TOOL_EXAMPLE.name,
          hash: TOOL_EXAMPLE.hash,
          accepted_at: '2026-04-14T09:30:00.000Z',
        },
      ),
    },
    problems: ACCEPTING,
  }),
  acceptAll: operation({
    id: 'connections.tools.acceptAll',
    method: 'POST',
    path: '/api/sessions/connections/{id}/tools/accept-all',
    summary: 'Accept all current tools',
    description:
      'Accepts every tool that was added or changed, and that others were removed. `set_hash` identifies the list that you ' +
      'reviewed. Endpoints that offer a renamed tool offer it under its new name.',
    access: 'jwt',
    params: Params,
    examples,
    body: Type.Object({ set_hash: Hash }, closed),
    body_example: { set_hash: SET_HASH_EXAMPLE },
    answers: {
      200: jsonAnswer(
        'The tools can be called.',
        Type.Object({
          set_hash: text,
          accepted: Type.Array(text, { description: 'Tools that were added or changed.' }),
          removed: Type.Array(text, { description: 'Tools that the server no longer has.' }),
          renamed: Type.Array(Type.Object({ from: text, to: text }), {
            description: 'Those of both that are renames.',
          }),
          accepted_at: Type.String({ format: 'date-time' }),
        }),
        {
          set_hash: SET_HASH_EXAMPLE,
          accepted: [TOOL_EXAMPLE.name],
          removed: [],
          renamed: [],
          accepted_at: '2026-04-14T09:30:00.000Z',
        },
      ),
    },
    problems: ACCEPTING,
  }),
} as const;
