import { plain } from '#core/tools/words.ts';
import type { AskedCall } from './state.ts';

/** The fixed text that asks for confirmation: what was not done, and how to have it done. Pure. */

const MOST_ASKED = 3;
/** Maximum characters shown of each call; a single call is shown longer, because "yes" makes it. */
const MOST_INPUT = 500;
const MOST_ALONE = 2_000;

export function askedBack(refused: readonly AskedCall[]): string {
  if (refused.length === 0) return '';
  const most = refused.length === 1 ? MOST_ALONE : MOST_INPUT;
  const lines = refused
    .slice(0, MOST_ASKED)
    .map(({ tool, input }) => `- ${tool} ${plain(JSON.stringify(input), most)}`);
  return `\n\nNot executed, because your message did not ask for it:\n${lines.join('\n')}\n\n${howOf(refused)}`;
}

function howOf(refused: readonly AskedCall[]): string {
  if (refused.length > 1) return 'Reply with the name of the one you want.';
  if (confirmable(refused) !== null) return 'Reply “yes” to confirm.';
  return 'It is too long to show: describe what you want, or request less at once.';
}

/** The call that "yes" makes: the only refused one, if the user could read all of it. */
export function confirmable(refused: readonly AskedCall[]): AskedCall | null {
  const [only] = refused;
  if (refused.length !== 1 || only === undefined) return null;
  const json = JSON.stringify(only.input);
  // Truncated text does not end like JSON.
  return json.length <= MOST_ALONE && plain(json, MOST_ALONE).endsWith('}') ? only : null;
}
