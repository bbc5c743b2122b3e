import type { TObject } from 'typebox';
import { askFor } from '#connections/questions/call-with-questions.ts';
import { Type } from '#core/json-schema/type.ts';
import type { ToolCall } from '#core/tools/tool.ts';
import { quoted } from '#core/tools/words.ts';
import type { NativeQuestion } from '#runtime/native/native-scripts.ts';
import { shownTask, type Task } from '../task.ts';
import type { TaskQuestion } from '../task-question.ts';

/** Asks the person at the client what a task asks. */

type Asker = Pick<ToolCall, 'can' | 'ask' | 'elicit'>;

/** As an input of the task; undefined if nobody can be asked, or the person leaves it open. */
export async function askForInput(task: Task, call: Asker, page: string): Promise<unknown> {
  const { error, question, server_question } = shownTask(task);
  if (server_question !== null) return askForServer(server_question, call);
  const why = error === null ? '' : ` It says: ${quoted(error.detail, 1_000)}`;
  const message = `The task ${quoted(task.title, 100)} asks for input to continue.${why}`;
  if (question !== null) return askForGrants(message, question, call, page);
  const said = await call.elicit(message, Answer);
  if (said === null) return undefined;
  try {
    return JSON.parse(said.input);
  } catch {
    return said.input;
  }
}

const Answer = Type.Object({
  input: Type.String({
    title: 'Input',
    description: 'The requested input: JSON or plain text.',
    maxLength: 10_000,
  }),
});

/** The form of a server is untrusted and checked where the answer is passed on. A client that is asked again repeats the call. */
async function askForServer(question: TaskQuestion, { can, ask }: Asker): Promise<unknown> {
  if (!can('elicitation/create', question.link === null ? undefined : 'url')) return undefined;
  const name = `question_${question.id}`;
  const { action, content } = (await ask({ [name]: askFor(question) }))[name] ?? {};
  return action === 'accept'
    ? { action, content: content ?? {} }
    : { action: action === 'decline' ? action : 'cancel' };
}

/** Secrets and hosts are given to a skill on its page, with a signature: forms of clients are no place for them. */
async function askForGrants(
  message: string,
  { packages, environment }: NativeQuestion,
  { elicit }: Asker,
  page: string,
): Promise<unknown> {
  const names = environment.filter(({ secret }) => !secret).map(({ name }) => name);
  const fields: [string, TObject | ReturnType<typeof Type.String>][] = names.map((name) => [
    name,
    Type.String({ title: name, maxLength: 8_192 }),
  ]);
  const install = Type.Boolean({ title: 'Install the packages', description: 'In the box of the script.' });
  const agreed = Type.Boolean({
    title: 'Run it again',
    description: `Open ${page} first: store the secrets, and agree to this version of the skill.`,
  });
  const isMore = environment.some(({ secret }) => secret) || packages.length + environment.length === 0;
  const form = Type.Object(
    Object.assign(
      Object.fromEntries(fields),
      packages.length === 0 ? {} : { install },
      isMore ? { agreed: Type.Optional(agreed) } : {},
    ),
  ) as unknown as typeof GrantsForm;
  const said: Record<string, unknown> | null = await elicit(message, form);
  if (said === null) return undefined;
  const { install: accepts, agreed: runs, ...values } = said;
  // Nothing was given, so that the task would only ask the same again.
  if (runs === false && accepts === undefined && names.length === 0) return undefined;
  return Object.assign({ environment: values }, accepts === undefined ? {} : { install: accepts });
}

const GrantsForm = Type.Object({ install: Type.Optional(Type.Boolean()) });
