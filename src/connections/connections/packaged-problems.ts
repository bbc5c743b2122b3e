/**
 * The problems of preparing and starting the package of a connection: those of runtime/packages and runtime/packaged.
 */
export const PACKAGED_PROBLEMS: readonly string[] = [
  'packages.forbidden',
  'packages.unsupported',
  'packages.input_required',
  'packages.failed',
  'packages.timeout',
  'packages.unavailable',
  'http.invalid',
  'packages.not_found',
  'packages.conflict',
  'packages.gone',
  'runs.unavailable',
  'connections.server_failed',
  'connections.hosts_required',
];
