import { NOT_ASKED } from '#connections/questions/noted-questions.ts';
import { readAnswer } from '#connections/questions/read-answer.ts';
import { compileSchema } from '#core/http/validate.ts';
import { readLink } from '#core/mcp/question-link.ts';
import type { QuestionAnswer, ServerQuestion } from '#core/mcp/questions.ts';
import type { Ask, Asking } from '#core/tools/asking.ts';

/** Questions of tools to the person at the chat. Each is shown as a form, and the call waits for its answer. */

/** The scope of the questions of every turn. */
export const CHAT_SCOPE = 'chat';

export type AskInChat = (question: ServerQuestion, signal: AbortSignal) => Promise<QuestionAnswer>;

/** Without `ask`, the reply is not streamed, so that nothing can be shown. */
export function chatAsking(ask: AskInChat | null, signal: AbortSignal): Asking {
  const can: Asking['can'] = (method) => ask !== null && method === 'elicitation/create';
  const askOne = async ({ params }: Ask): Promise<Record<string, unknown>> => {
    if (ask === null) return { action: 'decline' };
    const { message, requestedSchema, url } = params;
    const schema = (requestedSchema ?? {}) as Record<string, unknown>;
    const link = params.mode === 'url' ? readLink(url) : null;
    if (link !== null && 'refused' in link) return { action: 'decline' };
    return { ...readAnswer({ ...(await ask({ message: `${message}`, schema, link }, signal)) }) };
  };
  return {
    can,
    unasked: NOT_ASKED.chat,
    answered: () => [],
    ask: async (asks) => {
      const answers: Record<string, Record<string, unknown>> = {};
      for (const [name, one] of Object.entries(asks)) answers[name] = await askOne(one);
      return answers;
    },
    elicit: async (message, form) => {
      const requestedSchema = JSON.parse(JSON.stringify(form)) as Record<string, unknown>;
      const answer = await askOne({ method: 'elicitation/create', params: { message, requestedSchema } });
      // A wrong answer is none: the tool says what it needs.
      return answer.action === 'accept' && compileSchema(form)(answer.content).length === 0
        ? (answer.content as never)
        : null;
    },
  };
}
