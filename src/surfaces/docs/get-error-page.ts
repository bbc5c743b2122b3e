import { preferredType } from '#core/http/accept.ts';
import { type Handler, json, markdown } from '#core/http/operation.ts';
import { noSuchPath } from '#core/http/path.ts';
import type { ErrorTable } from '#core/problem/error-table.ts';
import type { docsContract } from './contract.ts';
import { errorPage, formerCodes } from './error-pages.ts';
import { type AnswerPage, pageOf } from './page-of.ts';

export function getErrorPage(errors: ErrorTable, answerPage: AnswerPage): Handler<typeof docsContract.getErrorPage> {
  const former = formerCodes(errors);
  return async (input) => {
    const { params, headers } = input;
    const [, code = '', extension = ''] = /^(.*?)(\.md)?$/s.exec(params.code) ?? [];
    const moved = former.get(code);
    if (moved !== undefined) {
      const anchor = moved.reason === null || extension !== '' ? '' : `#${moved.reason}`;
      const location = `/docs/errors/${moved.code}${extension}${anchor}`;
      return json({ location }, { status: 308, headers: { location } });
    }
    const entry = Object.hasOwn(errors, code) ? errors[code] : undefined;
    if (entry === undefined) throw noSuchPath();
    const text = errorPage(code, entry);
    if (extension !== '') return markdown(text);
    const asked = preferredType(headers.accept, ['text/markdown', 'text/html']);
    return asked === 'text/html' ? pageOf(answerPage, input) : markdown(text, { headers: { vary: 'accept' } });
  };
}
