import { ERRORS } from '#app/problems.ts';

/** What is wrong with messages of JSON-RPC 2.0 that were answered. */

interface Message {
  jsonrpc?: unknown;
  id?: unknown;
  method?: unknown;
  error?: { code?: unknown; message?: unknown; data?: { code?: unknown } };
  result?: { isError?: unknown; content?: unknown; _meta?: Record<string, { code?: unknown } | undefined> };
}

export function judgeMessages(said: unknown[], cut = false): string[] {
  const messages = said as (Message | undefined)[];
  const answers = messages.filter((message) => message?.method === undefined);
  if (answers.length !== 1 && !cut) return [`${answers.length} answers to one message`];
  return messages.flatMap((message) => (message === undefined ? ['no JSON'] : judgeMessage(message)));
}

function judgeMessage({ jsonrpc, id, method, error, result }: Message): string[] {
  if (jsonrpc !== '2.0') return ['no message of JSON-RPC 2.0'];
  if (method !== undefined) return [];
  if ((error === undefined) === (result === undefined)) return ['neither, or both, of result and error'];
  if (error !== undefined) return judgeError(error, id);
  if (result?.isError !== true) return [];
  const code = result._meta?.['capstan/problem']?.code;
  return isNamed(code) && Array.isArray(result.content) ? [] : [`a tool failed by ${code}`];
}

function judgeError({ code, message, data }: NonNullable<Message['error']>, id: unknown): string[] {
  const isWhole = Number.isInteger(code) && typeof message === 'string' && id !== undefined;
  if (!isWhole) return ['an error without its members'];
  if (data?.code === undefined) return code === -32603 ? [`-32603 ${message}`] : [];
  return isNamed(data.code) ? [] : [`an error of ${data.code}`];
}

function isNamed(code: unknown): boolean {
  const kind = ERRORS[`${code}`]?.kind;
  return kind !== undefined && kind !== 'internal';
}
