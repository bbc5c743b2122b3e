import { shareOfUser } from '#accounts/quotas/share-of-user.ts';
import { readAnswer } from '#connections/questions/read-answer.ts';
import { checkApart, refusedCheck } from '#core/json-schema/check-apart.ts';
import type { QuestionAnswer } from '#core/mcp/questions.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { TasksDeps } from './deps.ts';
import { notChangeable } from './refusals.ts';
import type { Task } from './task.ts';
import { questionIn, type TaskQuestion, taskScope } from './task-question.ts';
import { findTask, type Owned, takeQuestion } from './tasks.ts';

/**
 * Passes the answer of a task's owner on to the server that asks. The run waits in some process and continues automatically.
 *
 * @throws Problem `runs.input_invalid` for an answer that does not fit the form; `tasks.conflict` if it asks no more.
 */
export async function answerServer(
  deps: Pick<TasksDeps, 'db' | 'clock' | 'questions' | 'channel'>,
  of: Owned,
  { asking, status }: Task,
  input: unknown,
): Promise<Task> {
  const { db, clock, questions, channel } = deps;
  const question = questionIn(asking) as TaskQuestion;
  const answer = answerOf(input);
  if (answer.action === 'accept') {
    const share = await shareOfUser(db, of.user_id, clock.now());
    await checkContent(question, answer.content, share);
  }
  const isTaken = await takeQuestion(db, of, asking as string);
  if (!isTaken || !(await questions.answer({ user_id: of.user_id, scope: taskScope(of.id) }, question.id, answer)))
    throw notChangeable((await findTask(db, of))?.status ?? status);
  channel.publish(of.id);
  return (await findTask(db, of)) as Task;
}

/** As the protocol has it; true for an empty form, and false or "no" to decline. */
function answerOf(input: unknown): QuestionAnswer {
  if (input === false || isWord(input, /^(?:n|no|decline|refuse)$/i)) return { action: 'decline' };
  if (input === true || isWord(input, /^(?:y|yes|accept)$/i)) return { action: 'accept', content: {} };
  const { action, content, ...others } = (typeof input === 'object' && input !== null ? input : {}) as Record<
    string,
    unknown
  >;
  const answer = readAnswer({ action, content });
  if (answer.action !== action || Object.keys(others).length > 0)
    throw notAnAnswer([{ pointer: '/input', detail: FORM }]);
  return answer;
}

const isWord = (input: unknown, form: RegExp): boolean => typeof input === 'string' && form.test(input.trim());

/** A schema that cannot be used is no reason to refuse: the server checks the answer. */
async function checkContent({ schema }: TaskQuestion, content: object, share: Parameters<typeof checkApart>[2]) {
  const checked = await checkApart(schema, content, share);
  if ('refused' in checked) throw refusedCheck(checked);
  if ('unusable' in checked || checked.errors.length === 0) return;
  throw notAnAnswer(checked.errors.map(({ pointer, detail }) => ({ pointer: `/input/content${pointer}`, detail })));
}

const FORM =
  'must be {"action":"accept","content":{…}} with the fields of the form, {"action":"decline"} or {"action":"cancel"}';

const notAnAnswer = (errors: { pointer: string; detail: string }[]) =>
  runtimeProblem('runs.input_invalid', 'The input does not answer what the server asks.', {
    reason: 'input_unfit',
    errors,
  });
