import { Problem } from '#core/problem/problem.ts';

/** Explains why the server cannot listen if an operator can fix it. Other errors are returned unchanged. */
export function listenProblem(error: NodeJS.ErrnoException, host: string, port: number, setting = 'PORT'): unknown {
  if (error.code === 'EADDRINUSE')
    return new Problem(
      'unavailable',
      'startup.port_taken',
      `Port ${port} on ${host} is already in use. Stop the other process, or set ${setting} to another port.`,
    );
  if (error.code === 'EACCES')
    return new Problem(
      'unavailable',
      'startup.port_refused',
      `Permission denied for port ${port}. Set ${setting} to a port above 1023.`,
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Problem(
      'unavailable',
      'startup.host_unknown',
      `HOST ${host} is not an address of this host. Use 127.0.0.1 or 0.0.0.0, for example.`,
    );
  if (error.code === 'ENOTSUP')
    return new Problem(
      'unavailable',
      'startup.port_not_shared',
      'This system does not support SO_REUSEPORT. Set CAPSTAN_THREADS to 1, and start several processes ' + 'instead.',
    );
  return error;
}
