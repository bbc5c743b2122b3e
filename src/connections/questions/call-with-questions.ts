import { connectionsProblem } from '#connections/errors.ts';
import type { AskPerson, ServerQuestion } from '#core/mcp/questions.ts';
import type { Ask, Asking } from '#core/tools/asking.ts';
import type { AskedId, Bound } from './handed-calls.ts';
import { NOT_ASKED, type NotAsked } from './noted-questions.ts';
import { readAnswer } from './read-answer.ts';
import type { SuspendedCalls } from './suspended-calls.ts';

/** Passes questions of a server on to the MCP client that called our tool. */

type Client = Pick<Asking, 'can' | 'ask' | 'answered' | 'unasked'> & { signal: AbortSignal };
type Act<T> = (ask: AskPerson | NotAsked, signal: AbortSignal) => Promise<T>;

/**
 * A client that cannot be asked is not: the questions are declined. Otherwise our tool is called again with each answer; the call to the server is made once and continues. Throws
 * `connections.not_found` (`question`) if it no longer waits.
 */
export async function callWithQuestions<T extends object>(
  suspended: SuspendedCalls,
  of: Bound,
  client: Client,
  act: Act<T>,
): Promise<T> {
  const [hasForms, hasLinks] = [client.can('elicitation/create'), client.can('elicitation/create', 'url')];
  if (!hasForms && !hasLinks) return act(client.unasked ?? NOT_ASKED.client, client.signal);
  const screened = (ask: AskPerson, signal: AbortSignal) => act(shownBy({ hasForms, hasLinks }, ask), signal);
  const before = lastAsked(client.answered());
  const goOn = async (asked: AskedId, question: ServerQuestion | null) => {
    const name = nameOf(asked);
    // Ends this run of the tool if the client has not answered yet.
    const said = await client.ask({ [name]: askFor(question ?? ANSWERED) });
    const state = await suspended.resume(of, asked, readAnswer(said[name]), client.signal);
    if (state !== null) return state;
    throw connectionsProblem(
      'connections.not_found',
      'The call that asked this question no longer waits for an answer. Call the tool again.',
      { reason: 'question' },
    );
  };
  let state =
    before === null ? await suspended.begin(of, client.signal, screened as Act<never>) : await goOn(before, null);
  while (!('done' in state)) state = await goOn(state.asked, state.question);
  return state.done as T;
}

/** A client may show one kind of question and not the other. */
const shownBy =
  ({ hasForms, hasLinks }: { hasForms: boolean; hasLinks: boolean }, ask: AskPerson): AskPerson =>
  async (question, ended) => {
    if (question.link !== null) return hasLinks ? ask(question, ended) : { action: 'decline', reason: NOT_ASKED.link };
    return hasForms ? ask(question, ended) : { action: 'decline', reason: NOT_ASKED.form };
  };

const nameOf = ({ id, number }: AskedId): string => `call_${id}_${number}`;
const NAME = /^call_([0-9a-f-]{36})_(\d{1,3})$/;

/** The names come from the client: whether the call is the caller's is checked where it is found. */
function lastAsked(names: readonly string[]): AskedId | null {
  const all = names.flatMap((name) => {
    const [, id, number] = NAME.exec(name) ?? [];
    return id === undefined ? [] : [{ id, number: Number(number) }];
  });
  return all.reduce<AskedId | null>((last, each) => (last === null || each.number > last.number ? each : last), null);
}

/** What asks a client this question. */
export const askFor = ({ message, schema, link }: Pick<ServerQuestion, 'message' | 'schema' | 'link'>): Ask => ({
  method: 'elicitation/create',
  params: link === null ? { mode: 'form', message, requestedSchema: schema } : { mode: 'url', message, url: link.url },
});

/** In place of a question that the client has answered with this request. */
const ANSWERED = { message: '', schema: { type: 'object', properties: {} }, link: null };
