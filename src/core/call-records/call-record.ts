import type { PackagedFacts } from '#core/mcp/packaged-servers.ts';

/**
 * The seam to receipts of tool calls. Code that calls tools sees this interface only; what stores and signs
 * (runtime/receipts) is given by the app.
 */
export interface CallRecords {
  /**
   * Counts a call toward its account's daily limit, before it is begun or refused. Throws `receipts.limit_exceeded`; such a
   * call is not recorded.
   */
  admit(user_id: string | null): Promise<void>;
  /**
   * Begins to store that a tool is about to be called. Nothing may reach the server before `stored` resolves. Like `refuse`,
   * throws `http.limit_exceeded` (`concurrency`) or `http.unavailable` (`tool_calls`) if too many calls are open.
   */
  begin(call: BegunCall): CallRecord;
  /** Stores a call that was refused before it reached the server. The receipt is owed when this resolves. */
  refuse(call: BegunCall, ended: EndedCall): Promise<RecordedCall>;
}

/** How the caller finds and opens the receipt, known before it is signed. */
export interface RecordedCall {
  receipt_id: string;
  /** Base64 key of the HMACs in the receipt. */
  receipt_key: string;
}

export interface CallRecord extends RecordedCall {
  /** Resolves when the call survives the end of this process. Rejects if the database fails: the tool must not be called then. */
  stored: Promise<void>;
  /** Resolves when it survives a power failure, too. Awaited before its answer, which says that there is a receipt. */
  proven: Promise<void>;
  /** Stored without making the answer wait. Only the first end counts. */
  end(ended: EndedCall): void;
}

export interface BegunCall {
  /** Null for the service's operator. */
  user_id: string | null;
  /** `listing/<provider>/<external_id>`, a package URL, or the origin of an address. */
  server: string;
  listing: { name: string; address: string } | null;
  tool: string;
  /** SHA-256 of the tool's definition in hex; null if no definition is known. */
  definition_sha256: string | null;
  arguments: unknown;
  trace_id: string | null;
}

export interface EndedCall {
  status: 'completed' | 'failed' | 'cancelled' | 'refused';
  /** A code such as `timeout`; null for completed calls. */
  reason: string | null;
  /** The result as the caller gets it; null without one. */
  result: unknown;
  /** For a server that is started from a package. */
  facts: Omit<PackagedFacts, 'size_bytes'> | null;
}
