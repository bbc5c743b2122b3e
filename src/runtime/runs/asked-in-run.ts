import { askedBy, NOT_ASKED, notedQuestions } from '#connections/questions/noted-questions.ts';
import { plain, quoted } from '#core/tools/words.ts';
import { ATTR } from '#core/traces/conventions.ts';
import type { RunOrder } from './capability.ts';
import type { Outcome } from './result.ts';

/** Questions that a server asks during a run. They are in the trace without what was answered. */

const MOST_TRACED_CHARS = 4_000;

export function askedInRun({ ask = NOT_ASKED.run, span, on_output }: RunOrder, server: string) {
  const { questions, ask: on_question } = notedQuestions(askedBy(plain(server, 100), ask));
  return {
    on_question,
    /** Traces the questions, and says in the outcome and in the output of the run why one of them reached nobody. */
    noted: (outcome: Outcome): Outcome => {
      if (questions.length === 0) return outcome;
      span.setAttribute(ATTR.mcp_questions, JSON.stringify(questions).slice(0, MOST_TRACED_CHARS));
      const unasked = questions.flatMap(({ message, reason }) =>
        reason === null ? [] : [`The server asked ${quoted(message)}. ${reason}\n`],
      );
      if (unasked.length === 0) return outcome;
      const stderr = unasked.join('');
      on_output?.('stderr', Buffer.from(stderr));
      return { ...outcome, stderr: `${outcome.stderr}${stderr}` };
    },
  };
}
