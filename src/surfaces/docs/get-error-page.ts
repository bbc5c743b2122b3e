import { preferredType } from '#core/http/accept.ts';
import { type Handler, markdown } from '#core/http/operation.ts';
import { Problem } from '#core/problem/problem.ts';
import type { docsContract } from './contract.ts';
import type { ErrorPages } from './error-pages.ts';
import { type AnswerPage, pageOf } from './page-of.ts';

export const getErrorPage =
  (pages: ErrorPages, answerPage: AnswerPage): Handler<typeof docsContract.getErrorPage> =>
  async (input) => {
    const { params, headers } = input;
    const code = params.code.replace(/\.md$/, '');
    const text = pages.get(code);
    if (text === undefined)
      throw new Problem('not_found', 'docs.not_found', 'Unknown error code. GET /api/docs.md lists all codes.');
    if (code !== params.code) return markdown(text);
    const asked = preferredType(headers.accept, ['text/markdown', 'text/html']);
    return asked === 'text/html' ? pageOf(answerPage, input) : markdown(text, { headers: { vary: 'accept' } });
  };
