/** The hosts that a box may reach and has reached, and the gate between its network namespace and the network. */

/**
 * `none` gives a network namespace with a dead loopback only. With `watch`, requested names are recorded although
 * they are refused.
 */
export type Egress = ({ mode: 'none'; watch: boolean } | { mode: 'allow'; hosts: readonly HostGrant[] }) & {
  /** A port below 1,024 at which the program in the box listens: without it, such ports need a right that boxes do not have. */
  listens?: number | undefined;
};

export interface HostGrant {
  /** Exact name, or `*.example.com` for every name below example.com and not for itself. */
  host: string;
  /** Empty means 443. */
  ports: readonly number[];
  /** For operators and loopback tests only: allows other protocols than TLS, and private addresses. */
  plain: boolean;
}

/** Why something was refused, or ended early. */
export type RefusalReason =
  /** No grant has the name. */
  | 'not_granted'
  /** The name is granted, but not at this port. */
  | 'port'
  /** The connection did not start with a TLS ClientHello. */
  | 'not_tls'
  /** No complete ClientHello arrived in time. */
  | 'hello_timeout'
  /** The ClientHello could not be read. */
  | 'hello_malformed'
  | 'sni_missing'
  /** The ClientHello, or the one after a HelloRetryRequest, names another host. */
  | 'sni_mismatch'
  /** The ClientHello has an encrypted part (ECH or ESNI), which can name another host. */
  | 'sni_encrypted'
  /** The name does not resolve. */
  | 'unresolvable'
  /** The name resolves to an address that is not on the public internet, or the connection led to one. */
  | 'private_address'
  /** The host did not accept the connection. */
  | 'unreachable'
  /** More connections, names or requests than the limits allow. */
  | 'too_many'
  /** More bytes than the limits allow. */
  | 'too_large'
  /** The connection was idle, or open for too long. */
  | 'timeout';

export interface HostUse {
  /**
   * Name, literal address, or `*` for everything beyond the limit of the list. The box chose it, so it may contain anything
   * that a host name can: scrub it like other output.
   */
  host: string;
  /** 0 if the name was only looked up. */
  port: number;
  outcome: 'reached' | 'refused';
  /** A `RefusalReason`; null if the host was reached. */
  reason: string | null;
  /** Connections, or look-ups where `port` is 0. */
  connections: number;
  /** From the host to the box. */
  bytes_in: number;
  /** From the box to the host. */
  bytes_out: number;
}

/** Host side, one for each box. */
export interface EgressGate {
  /**
   * The network namespace that the box joins with `joinCommand`, instead of unsharing the network. Null with mode `none`
   * without `watch`: the box unshares the network then.
   */
  namespace: GateNamespace | null;
  /** Files that the box sees, read-only. They belong to the program and are the same for every gate. */
  mounts: readonly { from: string; to: string; writable: false }[];
  /** Reached hosts, then refused ones. Both lists are capped; may be called after `close`. */
  uses(): HostUse[];
  /** Ends every connection of the box. May be called twice. */
  close(): Promise<void>;
}

/** Open descriptors of this process, valid until the gate is closed. */
export interface GateNamespace {
  user_fd: number;
  net_fd: number;
}
