import { Type } from '#core/json-schema/type.ts';
import type { ToolCall } from '#core/tools/tool.ts';
import { quoted } from '#core/tools/words.ts';
import type { Task } from './task.ts';

const Answer = Type.Object({
  input: Type.String({
    title: 'Input',
    description: 'What the task asks for: JSON, or plain text.',
    maxLength: 10_000,
  }),
});

/** What the person at the client says to a task that wants more; undefined where nobody can be asked. */
export async function askForInput(task: Task, { elicit }: Pick<ToolCall, 'elicit'>): Promise<unknown> {
  const { detail = '' } = (task.error === null ? {} : JSON.parse(task.error)) as { detail?: string };
  const why = detail === '' ? '' : ` It says: ${quoted(detail, 500)}`;
  const said = await elicit(`The task ${quoted(task.title, 100)} asks for input to go on.${why}`, Answer);
  if (said === null) return undefined;
  try {
    return JSON.parse(said.input);
  } catch {
    return said.input;
  }
}
