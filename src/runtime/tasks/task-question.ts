import type { ServerQuestion } from '#core/mcp/questions.ts';
import { quoted } from '#core/tools/words.ts';

/** What a server asks the owner of a running task. The run waits for the answer, and continues automatically. */
export interface TaskQuestion extends ServerQuestion {
  id: string;
  /** When it is cancelled. */
  expires_at: string;
}

export const taskScope = (taskId: string): string => `task ${taskId}`;

/** Questions of an earlier version have no link. */
export const questionIn = (asking: string | null): TaskQuestion | null =>
  asking === null ? null : { link: null, ...JSON.parse(asking) };

/** The reason of a task that is `input_required` because a server asks. */
export const SERVER_ASKS = 'server_asks';

/** For clients that show only the error of a task. */
export const asksText = ({ message, link }: { message: string; link: { host: string } | null }): string =>
  `A server asks: ${quoted(message, 1_000)}${link === null ? '' : ` It asks you to open a page of ${link.host}`}`;
