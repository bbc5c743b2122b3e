import type { Routes } from '#core/http/operation.ts';
import type { docsContract } from './contract.ts';
import type { ContractSource } from './describe-contract.ts';
import { renderDocs } from './docs-md.ts';
import { getDocs } from './get.ts';
import { getErrorPage } from './get-error-page.ts';
import { getLlmsFull, type ReadGuides } from './get-llms-full.ts';
import { getDocsMd } from './get-md.ts';
import { getSchema, type ReadOpenApi } from './get-schema.ts';
import { getSchemaJson } from './get-schema-json.ts';
import { once } from './once.ts';
import type { AnswerPage } from './page-of.ts';

/** Operations that are generated from the whole contract or from the problem pages. */

export type TextOperation = 'get' | 'getMd' | 'getLlmsFull' | 'getSchema' | 'getSchemaJson' | 'getErrorPage';

export interface TextDeps extends ContractSource {
  /** The URL in examples, without a trailing slash. */
  base_url: string;
  answerPage: AnswerPage;
  guides: ReadGuides;
  openapi: ReadOpenApi;
}

export function textRoutes(deps: TextDeps): Pick<Routes<typeof docsContract>, TextOperation> {
  const documentation = once(() => renderDocs(deps));
  return {
    get: getDocs(documentation, deps.answerPage),
    getMd: getDocsMd(documentation),
    getLlmsFull: getLlmsFull(deps.guides, documentation),
    getSchema: getSchema(deps.openapi, deps.public_url),
    getSchemaJson: getSchemaJson(deps),
    getErrorPage: getErrorPage(deps.errors, deps.answerPage),
  };
}
