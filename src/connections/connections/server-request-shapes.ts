import { Type } from '#core/json-schema/type.ts';
import { PACKAGED_PROBLEMS } from './packaged-problems.ts';

/** Of answers to requests for resources and prompts. */
export const Asked = {
  protocol_version: Type.String(),
  trace_id: Type.String({ description: 'W3C trace id of the request, sent to the server in `_meta.traceparent`.' }),
  duration_ms: Type.Number(),
  links: Type.Object({ trace: Type.String({ description: 'Path of the trace, available after about a second.' }) }),
};

/** Problems of requests to a connection's server. */
export const ASKING: string[] = [
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
  'http.unavailable',
  'http.limit_exceeded',
  ...PACKAGED_PROBLEMS,
];
