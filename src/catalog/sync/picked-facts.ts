/** As in the record. Missing fields were not reported. */
export interface PickedFacts {
  title?: unknown;
  schema?: unknown;
  /** An address, or objects in the form of the MCP registry. */
  icons?: unknown;
  repository?: { source?: unknown; id?: unknown; subfolder?: unknown } | undefined;
  meta?: unknown;
  status?: { status?: unknown; message?: unknown; changed_at?: unknown } | undefined;
  published_at?: unknown;
  /** Newest first. */
  versions?: readonly PickedVersion[];
  tools?: unknown;
  /** Markdown, or its address. */
  readme?: unknown;
}

interface PickedVersion {
  version: unknown;
  published_at?: unknown;
  changes?: unknown;
  status?: PickedFacts['status'];
}
