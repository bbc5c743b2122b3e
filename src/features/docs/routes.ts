import type { Routes } from '../../platform/http/operation.ts';
import type { ProblemKind } from '../../platform/problem.ts';
import type { SkillShelf } from '../skills/load-skills.ts';
import type { docsContract } from './contract.ts';
import type { Site } from './describe-index.ts';
import { renderDocs } from './docs-md.ts';
import type { ErrorPages } from './error-pages.ts';
import { getAsset } from './get-asset.ts';
import { getDocs } from './get-docs.ts';
import { getDocsMd } from './get-docs-md.ts';
import { getErrorPage } from './get-error-page.ts';
import { getIndex } from './get-index.ts';
import { getLlmsTxt } from './get-llms-txt.ts';
import { getSchema } from './get-schema.ts';
import { getSchemaVersion } from './get-schema-version.ts';
import { once } from './once.ts';
import type { AnswerPage } from './page-of.ts';

export interface DocsDeps extends Site {
  /** What the examples are sent to, without a slash at the end. */
  base_url: string;
  problems: Record<string, ProblemKind>;
  pages: ErrorPages;
  skills: Pick<SkillShelf, 'skills'>;
  answerPage: AnswerPage;
}

export const docsRoutes = (deps: DocsDeps): Routes<typeof docsContract> => {
  const documentation = once(() => renderDocs(deps));
  return {
    getIndex: getIndex(deps, deps.answerPage),
    getLlmsTxt: getLlmsTxt(deps, deps.skills),
    getDocs: getDocs(documentation, deps.answerPage),
    getDocsMd: getDocsMd(documentation),
    getSchema: getSchema(deps),
    getSchemaVersion: getSchemaVersion(deps.contract_version),
    getErrorPage: getErrorPage(deps.pages, deps.answerPage),
    getAsset: getAsset(),
  };
};
