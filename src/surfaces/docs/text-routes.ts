import type { Routes } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';
import type { ContractSource } from './describe-contract.ts';
import { renderDocs } from './docs-md.ts';
import { getDocs } from './get.ts';
import { getErrorPage } from './get-error-page.ts';
import { getDocsMd } from './get-md.ts';
import { getSchema } from './get-schema.ts';
import { once } from './once.ts';
import type { AnswerPage } from './page-of.ts';

/** Operations that are generated from the whole contract or from the problem pages. */

export type TextOperation = 'get' | 'getMd' | 'getSchema' | 'getErrorPage';

export interface TextDeps extends ContractSource {
  /** The URL in examples, without a trailing slash. */
  base_url: string;
  answerPage: AnswerPage;
}

export function textRoutes(deps: TextDeps): Pick<Routes<typeof docsContract>, TextOperation> {
  const documentation = once(() => renderDocs(deps));
  return {
    get: getDocs(documentation, deps.answerPage),
    getMd: getDocsMd(documentation),
    getSchema: getSchema(deps),
    getErrorPage: getErrorPage(deps.errors, deps.answerPage),
  };
}
