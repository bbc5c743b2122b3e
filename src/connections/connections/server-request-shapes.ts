import { Type } from '#core/json-schema/type.ts';
import { RESULT_EXAMPLE } from './examples.ts';
import { PACKAGED_PROBLEMS } from './packaged-problems.ts';

/** Of answers to requests for resources and prompts. */
export const Asked = {
  protocol_version: Type.String(),
  trace_id: Type.String({ description: 'W3C trace id of the request, sent to the server in `_meta.traceparent`.' }),
  duration_ms: Type.Number(),
  links: Type.Object({ trace: Type.String({ description: 'Path of the trace, available after about a second.' }) }),
};

const { protocol_version, trace_id, links } = RESULT_EXAMPLE;
export const ASKED_EXAMPLE = { protocol_version, trace_id, duration_ms: 41, links: { trace: links.trace } };

/** Problems of contacting a connection's server. */
export const REACHING: string[] = [
  'users.quota_exceeded',
  'connections.not_found',
  'connections.authorization_required',
  'connections.forbidden',
  'connections.invalid',
  'connections.server_failed',
  'connections.timeout',
  'connections.tool_unsupported',
  'connections.oauth_failed',
  'registry.gone',
  ...PACKAGED_PROBLEMS,
];

/** Problems of requests to a connection's server. */
export const ASKING: string[] = [...REACHING, 'http.unavailable', 'http.limit_exceeded'];
