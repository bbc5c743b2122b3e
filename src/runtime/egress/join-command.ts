import { runtimeProblem } from '#runtime/errors.ts';
import { firstProgram } from './namespace.ts';

/** The same two descriptors as numbers in the process that joins. */
interface JoinDescriptors {
  user: number;
  net: number;
}

const NSENTER = ['/usr/bin/nsenter', '/bin/nsenter', '/usr/sbin/nsenter', '/sbin/nsenter'];

/**
 * The prefix of the box's command that makes it run in the gate's network namespace and without the descriptors.
 * Spawn it as the user that made the namespace, with `stdio[user]` and `stdio[net]` set to the gate's descriptors, and
 * leave `--unshare-net` out. If joining fails, nothing is run.
 *
 * @param descriptors From 3 to 9: a POSIX shell closes no others.
 * @throws `runs.unavailable` (`egress_unavailable`) where nsenter is not installed.
 */
export function joinCommand({ user, net }: JoinDescriptors): string[] {
  for (const descriptor of [user, net])
    if (!Number.isInteger(descriptor) || descriptor < 3 || descriptor > 9)
      throw new RangeError(`Descriptor ${descriptor} is not from 3 to 9.`);
  const nsenter = firstProgram(NSENTER);
  if (nsenter === null)
    throw runtimeProblem(
      'runs.unavailable',
      'Could not set up network access for the box: nsenter is not installed. Install util-linux.',
      { reason: 'egress_unavailable' },
    );
  const join = [`--user=/proc/self/fd/${user}`, `--net=/proc/self/fd/${net}`, '--preserve-credentials', '--'];
  return [nsenter, ...join, '/bin/sh', '-c', `exec "$@" ${user}<&- ${net}<&-`, 'sh'];
}
