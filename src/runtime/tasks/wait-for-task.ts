import { type PackageStep, stepText } from '#core/mcp/packaged-servers.ts';
import type { ToolCall } from '#core/tools/tool.ts';
import { plain } from '#core/tools/words.ts';
import type { TasksDeps } from './deps.ts';
import { noSuchTask } from './refusals.ts';
import type { Task } from './task.ts';
import { eventsAfter } from './task-events.ts';
import { findTask, type Owned } from './tasks.ts';

/** Waits until the task is no longer running or the time is up, and reports its progress to the client. */
export async function waitForTask(
  { db, channel, stopping }: Pick<TasksDeps, 'db' | 'channel' | 'stopping'>,
  of: Owned,
  ends_at_ms: number,
  { progress, signal }: Pick<ToolCall, 'progress' | 'signal'>,
): Promise<Task> {
  const ended = AbortSignal.any([signal, stopping]);
  let seq = 0;
  for (;;) {
    // Read before the events: later events are read in the next round.
    const task = await findTask(db, of);
    if (task === undefined) throw noSuchTask();
    const events = await eventsAfter(db, of.id, seq);
    seq = events.at(-1)?.seq ?? seq;
    const last = events.at(-1);
    if (last !== undefined) progress(seq, null, messageOf(last));
    const leftMs = ends_at_ms - performance.now();
    if (task.status !== 'working' || leftMs <= 0 || ended.aborted) return task;
    if (events.length === 0) await channel.nextEvent(of.id, seq, leftMs, ended);
  }
}

function messageOf({ type, data }: { type: string; data: string }): string {
  const event = JSON.parse(data) as Record<string, unknown>;
  if (type === 'step') return stepText(event as unknown as PackageStep);
  const { status, status_reason, text } = event;
  if (type === 'output')
    return plain(
      String(text ?? '')
        .trim()
        .split('\n')
        .at(-1) ?? '',
      200,
    );
  return status_reason === null ? String(status) : `${status}: ${status_reason}`;
}
