import type { Static, TObject } from 'typebox';
import type { Share } from '#core/fair-queue/share.ts';
import type { Caller, Scope } from '#core/http/caller.ts';
import type { Asking } from './asking.ts';

/**
 * A tool for models: a description as data, and a function. Each resource has its tools in `tools/`, and
 * `src/app/tools.ts` collects them. Code that serves them (MCP, the agent) does not know where they come from.
 */

export interface Tool<I extends TObject = TObject, O extends TObject = TObject> {
  /** `<area>_<verb>` in snake case; also the name of its file: `task_create` is in `task-create.ts`. */
  name: string;
  title: string;
  /**
   * For models: what it does, when to use it, what to call next. A few sentences, because every client's context
   * includes it.
   */
  description: string;
  /** The required scope of the credential; null if no credential is needed. */
  scope: Scope | null;
  /** Replaces other tools for callers without a credential, so it is listed for nobody else. */
  needs_no_account?: boolean;
  input: I;
  /** Schema of `structured`. */
  output: O;
  annotations: ToolAnnotations;
  /** A working input, for the documentation and its test. */
  example: Static<I>;
  /** Receives validated input. A `Problem` becomes a result that the model can read and correct. */
  run(input: Static<I>, call: ToolCall): Promise<ToolAnswer<Static<O>>>;
}

/** Hints of the MCP specification, set for each tool. */
interface ToolAnnotations {
  read_only: boolean;
  /** May overwrite or delete something; meaningless if `read_only`. */
  destructive: boolean;
  /** Repeating the call has no additional effect. */
  idempotent: boolean;
  /** Reaches systems outside of this service. */
  open_world: boolean;
}

/** The caller, and ways to communicate with the client during the call. */
export interface ToolCall extends Asking {
  /** Null without a credential; never null for a tool with a scope. */
  caller: Caller | null;
  /** The share that queued work counts against. */
  share: Share;
  /** Aborts when the client cancels or disconnects. */
  signal: AbortSignal;
  request_id: string;
  /** The tool of this client that runs a capability; null if it may run none. */
  run_tool: RunTool | null;
  /** W3C Trace Context of this call for outbound calls; null without tracing. */
  traceparent: string | null;
  /** Reports progress, if the client requested it. */
  progress(done: number, total: number | null, message: string): void;
  /** Sends a log message, if the client listens. */
  log(level: LogLevel, message: string): void;
}

/** `task_run` in one call; `task_create` where each step is decided. */
export type RunTool = 'task_run' | 'task_create';

type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error';

export interface ToolAnswer<T> {
  structured: T;
  /** The result as text for models: short, with a hint on how to get more. */
  text: string;
  /** Links to resources with the rest, such as `skill://inspect-json/SKILL.md`. */
  links?: ResourceLink[];
  /** Content other than text. */
  blocks?: ContentBlock[];
}

/** In the protocol's format; bytes as base64. */
export type ContentBlock =
  | { type: 'text'; text: string }
  | { type: 'image' | 'audio'; data: string; mimeType: string }
  | { type: 'resource'; resource: { uri: string; mimeType: string; text: string } };

export interface ResourceLink {
  uri: string;
  name: string;
  description?: string;
  media_type?: string;
}

/** Returns its argument and keeps the schema types, so that `run` is typed by them. */
export const tool = <const I extends TObject, const O extends TObject>(tool: Tool<I, O>): Tool =>
  tool as unknown as Tool;
