import { randomUUID } from 'node:crypto';
import { endOf } from '#core/end.ts';
import { QUESTION_MS, type QuestionAnswer, type ServerQuestion } from '#core/mcp/questions.ts';
import { ALONE, type Threads } from '#core/threads/threads.ts';

/**
 * Questions of servers that wait for a person. They live in the process of their call, and end with it: an answer has to
 * reach this process, in any of its threads.
 */
export interface QuestionDesk {
  /** Shows the question and waits for its answer; `cancel` after five minutes or when the call ends. */
  ask(
    of: Asked,
    question: ServerQuestion,
    signal: AbortSignal,
    show: (shown: ShownQuestion) => void,
  ): Promise<QuestionAnswer>;
  /** False if no such question of this user's connection waits. */
  answer(of: Asked, id: string, answer: QuestionAnswer): Promise<boolean>;
}

interface Asked {
  user_id: string;
  connection_id: string;
}

interface ShownQuestion extends ServerQuestion {
  id: string;
}

export function openQuestionDesk(threads: Threads = ALONE): QuestionDesk {
  const waiting = new Map<string, { of: Asked; resolve(answer: QuestionAnswer): void }>();
  const answerHere = async (of: Asked, id: string, answer: QuestionAnswer): Promise<boolean> => {
    const found = waiting.get(id);
    if (found === undefined) return false;
    if (found.of.user_id !== of.user_id || found.of.connection_id !== of.connection_id) return false;
    found.resolve(answer);
    return true;
  };
  const answerInEach = threads.inEach('connections.answer', answerHere);
  return {
    ask: async (of, question, signal, show) => {
      const id = randomUUID();
      const { promise, resolve } = Promise.withResolvers<QuestionAnswer>();
      const end = endOf({ timeout_ms: QUESTION_MS, with: [signal] });
      const cancel = () => resolve({ action: 'cancel' });
      if (end.signal.aborted) cancel();
      end.signal.addEventListener('abort', cancel, { once: true });
      waiting.set(id, { of, resolve });
      try {
        show({ id, ...question });
        return await promise;
      } finally {
        waiting.delete(id);
        end.release();
      }
    },
    answer: async (of, id, answer) => (await answerInEach(of, id, answer)).includes(true),
  };
}
