/** Possible results of resolving a capability and checking its input. */
export const RESOLVING = [
  'runs.not_found',
  'runs.gone',
  'runs.reference_invalid',
  'runs.input_invalid',
  'runs.unsupported',
  'runs.unavailable',
  'http.unavailable',
  'http.limit_exceeded',
  'connections.authorization_required',
  'connections.tool_conflict',
  'rigs.not_found',
  'rigs.conflict',
  'marketplace.files_invalid',
] as const;
