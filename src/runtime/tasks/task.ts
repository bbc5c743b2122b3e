import { isoTime } from '#core/clock/clock.ts';
import type { TaskRow } from '#core/db/schema-execution.ts';
import type { NativeQuestion } from '#runtime/native/native-scripts.ts';
import type { CapabilityKind } from '#runtime/runs/capability.ts';
import type { TaskState } from './states.ts';
import { questionIn } from './task-question.ts';

/** The shape of a task and its pure rules; no I/O. */

export type Task = TaskRow & { status: TaskState; capability_kind: CapabilityKind };

interface TaskFile {
  /** Relative, with `/`. */
  path: string;
  /** Bytes. */
  size: number;
  content_base64: string;
}

/** By path, as a run takes and leaves them. */
export const filesOf = (text: string | null): Map<string, Uint8Array> =>
  new Map(
    (JSON.parse(text ?? '[]') as TaskFile[]).map(({ path, content_base64 }) => [
      path,
      Buffer.from(content_base64, 'base64'),
    ]),
  );

export const filesText = (files: ReadonlyMap<string, Uint8Array>): string =>
  JSON.stringify(
    [...files].map(([path, bytes]): TaskFile => {
      const content_base64 = Buffer.from(bytes).toString('base64');
      return { path, size: bytes.length, content_base64 };
    }),
  );

/** What a person can answer is stored beside the reason why the task asks. */
function failureOf(text: string | null) {
  const stored = parsed(text) as { code: string; detail: string; question?: NativeQuestion } | null;
  if (stored === null) return { error: null, question: null };
  const { question = null, ...error } = stored;
  return { error, question };
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text));

/** Members that lists omit. */
export type ListedTask = Omit<Task, 'input' | 'input_files' | 'output' | 'output_files' | 'receipt_key' | 'given'>;

/** A task in a list: without large members and the key of its receipt. */
export const shownTask = (task: ListedTask) => ({
  id: task.id,
  title: task.title,
  capability: {
    kind: task.capability_kind,
    ref: task.capability_ref,
    version: task.capability_version,
    digest: task.capability_digest,
  },
  execution_class: task.execution_class,
  status: task.status,
  status_reason: task.status_reason,
  ...failureOf(task.error),
  server_question: questionIn(task.asking),
  attempt: task.attempt,
  trace_id: task.trace_id,
  receipt_id: task.receipt_id,
  created_at: task.created_at,
  queued_at: task.queued_at,
  started_at: task.started_at,
  finished_at: task.finished_at,
});

export const outputOf = (task: Pick<Task, 'output' | 'output_files'>) => ({
  output: parsed(task.output),
  output_files: (parsed(task.output_files) ?? []) as TaskFile[],
});

/** Of its input, output and files, as they are stored. */
const storedBytes = ({ input, output, input_files, output_files }: Task): number =>
  [input, output, input_files, output_files].reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0);

interface WholeFacts {
  /** Opens the HMACs of the receipt. */
  receipt_key: Buffer | null;
  /** How long a task is kept after its end. */
  kept_ms: number;
}

/**
 * A task whole, for its owner, as JSON. Input, output and files are stored as JSON and not parsed: an object with very many
 * members would hold the thread for longer than a request may.
 */
export function wholeTask(task: Task, { receipt_key, kept_ms }: WholeFacts): string {
  const { finished_at, input, output, input_files, output_files } = task;
  const facts = JSON.stringify({
    ...shownTask(task),
    stored_bytes: storedBytes(task),
    kept_until: finished_at === null ? null : isoTime(Date.parse(finished_at) + kept_ms),
    receipt_key: receipt_key === null ? null : receipt_key.toString('base64'),
  });
  const values = `"input":${input},"output":${output ?? 'null'}`;
  return `${facts.slice(0, -1)},${values},"input_files":${input_files},"output_files":${output_files ?? '[]'}}`;
}
