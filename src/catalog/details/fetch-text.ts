import type { Answer, Get, Validators } from '#catalog/sync/provider.ts';
import { shapeProblem } from '#catalog/sync/read-page.ts';
import { upstreamStatus } from '#catalog/sync/upstream-status.ts';

/** Fetches one text that may be at several addresses, and asks only whether it changed if it is stored. */

/** Larger texts are refused; smaller ones are shortened when they are stored. */
const MAX_TEXT_BYTES = 1_048_576;

/** Where a stored text came from. */
export interface Known {
  url: string;
  validators: Validators;
}

type Text =
  | { kind: 'unchanged'; url: string; validators: Validators }
  | { kind: 'found'; url: string; text: string; validators: Validators }
  | { kind: 'none' };

/** Throws the Problems of `Get`, except that an address without the text is none. */
export async function fetchText(get: Get, urls: readonly string[], known: Known | null): Promise<Text> {
  // The address that had it last time is asked first.
  const first = known !== null && urls.includes(known.url) ? known : null;
  for (const url of [...new Set([...(first === null ? [] : [first.url]), ...urls])]) {
    const answer = await get(url, {
      accept: 'text/markdown, text/plain, */*;q=0.1',
      max_bytes: MAX_TEXT_BYTES,
      validators: url === first?.url ? first.validators : {},
    }).catch((error: unknown) => {
      if (isAbsent(error)) return null;
      throw error;
    });
    if (answer === null) continue;
    if (answer.status === 304) return { kind: 'unchanged', url, validators: answer.validators };
    return { kind: 'found', url, text: readable(answer, url), validators: answer.validators };
  }
  return { kind: 'none' };
}

/** Some hosts hide what is private behind 403. */
const isAbsent = (error: unknown): boolean => [403, 404, 410, 451].includes(upstreamStatus(error) ?? 0);

const TEXT_TYPES = /^(?:text\/(?:plain|markdown|x-markdown|x-rst)|application\/markdown)(?:;|$)/i;

/** Refuses pages and binary content. Bytes that are not UTF-8 became U+FFFD already. */
function readable({ media_type, text }: Answer, url: string): string {
  const { host } = new URL(url);
  if (!TEXT_TYPES.test(media_type.trim())) throw shapeProblem(host, `is not plain text or Markdown`);
  if (text.includes('\0')) throw shapeProblem(host, 'is binary');
  return text;
}
