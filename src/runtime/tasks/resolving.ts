/** What finding a capability and checking an input against it may come to. */
export const RESOLVING = [
  'execution.capability_unknown',
  'execution.taken_down',
  'execution.version_gone',
  'execution.kind_unsupported',
  'execution.reference_malformed',
  'execution.input_unfit',
  'execution.schema_unusable',
  'execution.check_busy',
  'workers.limit_exceeded',
  'execution.fetch_busy',
  'sessions.auth_required',
  'sessions.tool_added',
  'sessions.tool_changed',
  ...(['rigs.not_found', 'rigs.version_not_found', 'rigs.not_locked', 'rigs.lock_broken', 'rigs.check_busy'] as const),
  'marketplace.stored_files_differ',
] as const;
