import type { HostUse, RefusalReason } from './egress.ts';

/** Records the hosts that a box reached and those that were refused. */
export interface UseLedger {
  /** Counts a connection and gives the row in which its bytes are counted. */
  reached(name: string, port: number): HostUse;
  refused(host: string, port: number, reason: RefusalReason): void;
  rows(): HostUse[];
}

/** Hosts that were reached are granted names at granted ports, so their rows are few; rows of refusals need the limit. */
export function useLedger(most_refusals: number): UseLedger {
  const reached = new Map<string, HostUse>();
  const refused = new Map<string, HostUse>();
  return {
    reached: (name, port) => counted(reached, name, port, 'reached', null),
    refused(host, port, reason) {
      const isKnown = refused.has(keyOf(host, port, reason));
      // Refusals beyond the limit share the last row.
      const fits = isKnown || refused.size < most_refusals - 1;
      if (fits) counted(refused, host, port, 'refused', reason);
      else counted(refused, '*', 0, 'refused', 'too_many');
    },
    rows: () => [...reached.values(), ...refused.values()].map((row) => ({ ...row })),
  };
}

function counted(
  rows: Map<string, HostUse>,
  host: string,
  port: number,
  outcome: HostUse['outcome'],
  reason: RefusalReason | null,
): HostUse {
  const key = keyOf(host, port, reason);
  const row = rows.get(key) ?? { host, port, outcome, reason, connections: 0, bytes_in: 0, bytes_out: 0 };
  row.connections += 1;
  rows.set(key, row);
  return row;
}

function keyOf(host: string, port: number, reason: RefusalReason | null): string {
  return `${reason} ${port} ${host}`;
}
