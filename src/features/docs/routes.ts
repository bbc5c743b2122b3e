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
import { getMailedLink } from './get-mailed-link.ts';
import { getSchema } from './get-schema.ts';
import { getSchemaVersion } from './get-schema-version.ts';
import { once } from './once.ts';
import type { HomeDeps } from './page/home.ts';

export interface DocsDeps extends Site, HomeDeps {
  problems: Record<string, ProblemKind>;
  pages: ErrorPages;
  skills: Pick<SkillShelf, 'skills'>;
}

export const docsRoutes = (deps: DocsDeps): Routes<typeof docsContract> => {
  const documentation = once(() => renderDocs(deps));
  return {
    getIndex: getIndex(deps, deps),
    getLlmsTxt: getLlmsTxt(deps, deps.skills),
    getDocs: getDocs(documentation),
    getDocsMd: getDocsMd(documentation),
    getSchema: getSchema(deps),
    getSchemaVersion: getSchemaVersion(deps.contract_version),
    getErrorPage: getErrorPage(deps.pages),
    getMailedLink: getMailedLink(),
    getAsset: getAsset(),
  };
};
