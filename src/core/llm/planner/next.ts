/** The next step of a conversation. */
export interface Call {
  name: string;
  input: Record<string, unknown>;
}

/** `did` completes “Planned without a language model: …”. */
export type Next = { call: Call[] } | { say: string; did: string };
