import type { QuestionAnswer } from '#core/mcp/questions.ts';

const MOST_FIELDS = 50;
const MOST_CHARS = 8_192;

/** As the protocol has it, but from a client: anything else counts as no answer. */
export function readAnswer(said: Record<string, unknown> | undefined): QuestionAnswer {
  if (said?.action === 'decline') return { action: 'decline' };
  const { content = {} } = said ?? {};
  if (said?.action !== 'accept' || typeof content !== 'object' || content === null) return { action: 'cancel' };
  const fields = Object.entries(content);
  if (fields.length > MOST_FIELDS || !fields.every(([, value]) => isFieldValue(value))) return { action: 'cancel' };
  return { action: 'accept', content: content as Extract<QuestionAnswer, { action: 'accept' }>['content'] };
}

function isFieldValue(value: unknown): boolean {
  if (Array.isArray(value))
    return value.length <= 100 && value.every((each) => typeof each === 'string' && isShort(each));
  return typeof value === 'string' ? isShort(value) : typeof value === 'number' || typeof value === 'boolean';
}

const isShort = (text: string): boolean => text.length <= MOST_CHARS && text.isWellFormed();
