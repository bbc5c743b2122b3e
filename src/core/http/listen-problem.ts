import { Problem } from '#core/problem/problem.ts';

/** Why the server cannot listen, where an operator can mend it; any other error as it came. */
export function listenProblem(error: NodeJS.ErrnoException, host: string, port: number, setting = 'PORT'): unknown {
  if (error.code === 'EADDRINUSE')
    return new Problem(
      'unavailable',
      'startup.port_taken',
      `Port ${port} on ${host} is taken. Stop what uses it, or set ${setting} to another.`,
    );
  if (error.code === 'EACCES')
    return new Problem(
      'unavailable',
      'startup.port_refused',
      `Port ${port} may not be opened by this user. Set ${setting} to one above 1023.`,
    );
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return new Problem(
      'unavailable',
      'startup.host_unknown',
      `HOST ${host} is not an address of this machine. 127.0.0.1 or 0.0.0.0 are usual.`,
    );
  if (error.code === 'ENOTSUP')
    return new Problem(
      'unavailable',
      'startup.port_not_shared',
      'This system does not share a port among threads. Set CAPSTAN_THREADS to 1, and start more processes instead.',
    );
  return error;
}
