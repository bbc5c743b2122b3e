/** What a box may reach, and what it reached. */

/** `none` gives a network namespace with a dead loopback only. `watch`: names asked for are recorded though refused. */
export type Egress = { mode: 'none'; watch: boolean } | { mode: 'allow'; hosts: readonly HostGrant[] };

export interface HostGrant {
  /** Exact name or `*.example.com`. */
  host: string;
  ports: readonly number[];
  /** Operators and loopback tests only: allows http and private addresses. */
  plain: boolean;
}

export interface HostUse {
  host: string;
  port: number;
  outcome: 'reached' | 'refused';
  reason: string | null;
  connections: number;
  bytes_in: number;
  bytes_out: number;
}

/** Host side, one for each box. `socket_path` is mounted into the box; the helper inside speaks to it. */
export interface EgressGate {
  socket_path: string;
  uses(): HostUse[];
  close(): Promise<void>;
}
