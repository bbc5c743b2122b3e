import { coreProblem } from '#core/errors.ts';

/** Explains why the server cannot listen if an operator can fix it. Other errors are returned unchanged. */
export function listenProblem(error: NodeJS.ErrnoException, host: string, port: number, setting = 'PORT'): unknown {
  if (error.code === 'EADDRINUSE')
    return coreProblem(
      'startup.unavailable',
      `Port ${port} on ${host} is already in use. Stop the other process, or set ${setting} to another port.`,
      { reason: 'port_taken' },
    );
  if (error.code === 'EACCES')
    return coreProblem(
      'startup.unavailable',
      `Permission denied for port ${port}. Set ${setting} to a port above 1023.`,
      { reason: 'port_refused' },
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return coreProblem(
      'startup.unavailable',
      `HOST ${host} is not an address of this host. Use 127.0.0.1 or 0.0.0.0, for example.`,
      { reason: 'host_unknown' },
    );
  if (error.code === 'ENOTSUP')
    return coreProblem(
      'startup.unavailable',
      'This system does not support SO_REUSEPORT. Set CAPSTAN_THREADS to 1, and start several processes ' + 'instead.',
      { reason: 'port_not_shared' },
    );
  return error;
}
