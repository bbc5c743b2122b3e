import type { AskPerson, QuestionAnswer, ServerQuestion } from '#core/mcp/questions.ts';
import { quoted } from '#core/tools/words.ts';

/** What a server asked during a call, and how it was answered. Contents of answers are not kept. */
interface NotedQuestion {
  message: string;
  action: QuestionAnswer['action'];
  /** Why no person was asked; null if one was. */
  reason: string | null;
}

/** Why a caller cannot be asked. */
export const NOT_ASKED = {
  json: 'Nobody was asked, because the client accepts no events. Call the tool with Accept: text/event-stream.',
  client: 'Nobody was asked, because the MCP client does not support elicitation.',
  run: 'Nobody was asked, because the call is part of a run. Call the tool through the connection instead.',
};

export type NotAsked = (typeof NOT_ASKED)[keyof typeof NOT_ASKED];

/** Says which server asks, because the client shows the question as ours. */
export const askedBy = (server: string, ask: AskPerson | NotAsked): AskPerson | NotAsked =>
  typeof ask === 'string'
    ? ask
    : (question) => ask({ ...question, message: `The server ${quoted(server, 100)} asks: ${question.message}` });

interface Noting {
  questions: NotedQuestion[];
  ask: AskPerson;
}

/** Declines where nobody can be asked, and says why. A failure to ask is a cancelled question. */
export function notedQuestions(ask: AskPerson | NotAsked): Noting {
  const questions: NotedQuestion[] = [];
  const note = (question: ServerQuestion, answer: QuestionAnswer, reason: string | null): QuestionAnswer => {
    questions.push({ message: question.message, action: answer.action, reason });
    return answer;
  };
  return {
    questions,
    ask: async (question) => {
      if (typeof ask === 'string') return note(question, { action: 'decline' }, ask);
      try {
        return note(question, await ask(question), null);
      } catch {
        return note(question, { action: 'cancel' }, 'The question could not be shown.');
      }
    },
  };
}
