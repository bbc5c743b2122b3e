import type { Static, TObject } from 'typebox';
import type { Share } from '#core/fair-queue/share.ts';
import type { Caller, Scope } from '#core/http/caller.ts';
import type { Asking } from './asking.ts';

/**
 * A tool as a model sees it: data that describes it, and a function. Features bring theirs (`features/<name>/tools.ts`),
 * `src/app/tools.ts` gathers them; who serves them (MCP, the agent) knows no feature by name.
 */

export interface Tool<I extends TObject = TObject, O extends TObject = TObject> {
  /** `<feature>_<verb>` in snake case; the address of its file: `task_create` is features/tasks/tools/task-create.ts. */
  name: string;
  title: string;
  /** For a model: what it does, when to use it, what to call next. A few sentences, since it costs every client context. */
  description: string;
  /** What the caller's credential must allow; null where anybody may call it, without a credential too. */
  scope: Scope | null;
  input: I;
  /** Schema of `structured`. */
  output: O;
  annotations: ToolAnnotations;
  /** An input that runs as it is, for the documentation and its test. */
  example: Static<I>;
  /** Gets input that fits the schema. A `Problem` becomes an answer that the model can read and mend. */
  run(input: Static<I>, call: ToolCall): Promise<ToolAnswer<Static<O>>>;
}

/** Hints of the MCP specification, said for each tool. */
export interface ToolAnnotations {
  read_only: boolean;
  /** May overwrite or remove something; of no meaning where `read_only`. */
  destructive: boolean;
  /** The same call again changes nothing more. */
  idempotent: boolean;
  /** Reaches systems outside of this service. */
  open_world: boolean;
}

/** Whoever calls and how to speak with them meanwhile. */
export interface ToolCall extends Asking {
  /** Null without a credential; never null where the tool names a scope. */
  caller: Caller | null;
  /** Whose turn it is where the tool's work is queued. */
  share: Share;
  /** Aborted when the client cancels or is gone. */
  signal: AbortSignal;
  request_id: string;
  /** W3C Trace Context of this call, for what it starts elsewhere; null where nothing is traced. */
  traceparent: string | null;
  /** Says how far the call is; nothing happens where the client did not ask for it. */
  progress(done: number, total: number | null, message: string): void;
  /** A line for whoever follows the call; nothing happens where the client does not listen. */
  log(level: LogLevel, message: string): void;
}

export type LogLevel = 'debug' | 'info' | 'notice' | 'warning' | 'error';

export interface ToolAnswer<T> {
  structured: T;
  /** The same for a model that reads text: short, and says how to get more. */
  text: string;
  /** Resources that hold the rest, such as `skill://inspect-json/SKILL.md`. */
  links?: ResourceLink[];
  /** What text cannot say. */
  blocks?: ContentBlock[];
}

/** In the protocol's own form; bytes in base64. */
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

/** Identity with inference: keeps the schemas' types, so that `run` is typed by them. */
export const tool = <const I extends TObject, const O extends TObject>(tool: Tool<I, O>): Tool =>
  tool as unknown as Tool;
