import type { AskPerson, QuestionAnswer, ServerQuestion } from '#core/mcp/questions.ts';
import { quoted } from '#core/tools/words.ts';

/** What a server asked during a call, and how it was answered. Contents of answers are not kept. */
interface NotedQuestion {
  /** With the host of the page that it asked to open. */
  message: string;
  action: QuestionAnswer['action'];
  /** Why no person was asked; null if one was. */
  reason: string | null;
}

/** Why a caller cannot be asked. */
export const NOT_ASKED = {
  json: 'Nobody was asked, because the client accepts no events. Call the tool with Accept: text/event-stream.',
  client: 'Nobody was asked, because the MCP client cannot be asked here.',
  link: 'Nobody was asked, because the MCP client does not open pages for servers. Call the tool on its page, or at the terminal.',
  form: 'Nobody was asked, because the MCP client shows no forms of servers.',
  run: 'Nobody was asked, because nobody watches this run. Run it as a task, or call the tool through the connection.',
  chat: 'Nobody was asked, because the reply is not streamed. Send the message with Accept: text/event-stream.',
};

export type NotAsked = (typeof NOT_ASKED)[keyof typeof NOT_ASKED];

/** Says which server asks, because the client shows the question as ours. */
export const askedBy = (server: string, ask: AskPerson | NotAsked): AskPerson | NotAsked =>
  typeof ask === 'string'
    ? ask
    : (question, ended) =>
        ask({ ...question, message: `The server ${quoted(server, 100)} asks: ${question.message}` }, ended);

interface Noting {
  questions: NotedQuestion[];
  ask: AskPerson;
}

/** Declines where nobody can be asked, and says why. A failure to ask is a cancelled question. */
export function notedQuestions(ask: AskPerson | NotAsked): Noting {
  const questions: NotedQuestion[] = [];
  const note = (question: ServerQuestion, answer: QuestionAnswer, reason: string | null): QuestionAnswer => {
    const { message, link } = question;
    // The rest of an address may be a secret between the server and the person.
    questions.push({
      message: link === null ? message : `${message} (to open a page of ${link.host})`,
      action: answer.action,
      reason,
    });
    return answer;
  };
  return {
    questions,
    ask: async (question, ended) => {
      if (question.refused !== undefined) return note(question, { action: 'decline' }, question.refused);
      if (typeof ask === 'string') return note(question, { action: 'decline' }, ask);
      try {
        const answer = await ask(question, ended);
        return note(question, answer, answer.action === 'accept' ? null : (answer.reason ?? null));
      } catch {
        return note(question, { action: 'cancel' }, 'The question could not be shown.');
      }
    },
  };
}
