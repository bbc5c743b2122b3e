import type { HostReached } from '../../../src/core/mcp/packaged-servers.ts';
import type { Context } from '../context.ts';
import { EXIT, Failure } from '../failure.ts';
import { facts } from '../output.ts';
import { hostAdvice } from './prepare.ts';
import type { LocalRun } from './runs.ts';

/** The last lines of a run on this machine, of a server and of a skill. */
interface LocalEnd {
  /** What ran, such as `package` and its package URL. */
  what: Readonly<Record<string, string>>;
  isolation: string;
  hosts: readonly HostReached[];
  run: LocalRun;
  verdict: { status: string; reason: string | null; error: string | null };
}

/** @throws Failure if the run did not complete. */
export function sayEnd(context: Pick<Context, 'say'>, { what, isolation, hosts, run, verdict }: LocalEnd): void {
  const { status, reason, error } = verdict;
  context.say(
    facts({
      ...what,
      isolation,
      'hosts reached': hostNames(hosts, 'reached'),
      'hosts refused': hostNames(hosts, 'refused'),
      run: run.id,
      receipt: run.receipt,
    }),
  );
  if (status === 'completed') return;
  const advice = hostAdvice(hosts);
  throw new Failure(`run.${reason ?? status}`, error ?? `The run is ${status}.`, {
    fix: advice === '' ? `capstan local show ${run.id} shows what happened.` : `To allow these hosts: ${advice}`,
    exit_code: reason === 'tool_unknown' ? EXIT.not_found : EXIT.error,
  });
}

/** A host that was granted and refused all the same has a reason, such as an address of the local network. */
function hostNames(hosts: readonly HostReached[], outcome: 'reached' | 'refused'): string {
  const names = hosts
    .filter((use) => use.outcome === outcome)
    .map(({ host, reason }) => (reason === null || reason === 'not_granted' ? host : `${host} (${reason})`));
  return [...new Set(names)].join(', ') || 'none';
}
