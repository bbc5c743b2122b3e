/** How much one box may ask of its gate. */
export interface EgressLimits {
  /** Open at the same time. */
  connections: number;
  /** A box that opens connections faster than this, after a burst of ten seconds' worth, loses its network. */
  connections_per_second: number;
  /** A box that sends DNS requests faster than this, after a burst of ten seconds' worth, loses its DNS. */
  lookups_per_second: number;
  /** Distinct names that get an address. Names of exact grants always do. */
  names: number;
  /** Rows of refused hosts; the rest is counted in one row. */
  refusals: number;
  /** In both directions, over the life of the box. */
  bytes: number;
  /** Until the ClientHello is complete. */
  hello_ms: number;
  /** For one name. */
  resolve_ms: number;
  /** For one address. */
  connect_ms: number;
  /** Without a byte in either direction. */
  idle_ms: number;
  /** Of one connection. */
  total_ms: number;
}

export const EGRESS_LIMITS: EgressLimits = {
  connections: 128,
  connections_per_second: 100,
  lookups_per_second: 200,
  names: 256,
  refusals: 200,
  bytes: 4 * 1024 ** 3,
  hello_ms: 10_000,
  resolve_ms: 10_000,
  connect_ms: 10_000,
  idle_ms: 10 * 60_000,
  total_ms: 6 * 60 * 60_000,
};
