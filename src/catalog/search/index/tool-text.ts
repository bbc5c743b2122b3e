/** A tool as it is searched. Any of it may be hostile, and everything read of it is limited. */
export interface ToolText {
  name: string;
  title: string;
  description: string;
  /** Null if it is unknown. */
  input_schema: unknown;
  /** What its server or connection is called. */
  server: string;
}

/** A tool of a capability. */
export interface DocumentTool extends ToolText {
  /** The probed server that has it; '' if only a provider lists it. */
  target: string;
}
