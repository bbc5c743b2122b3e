import type { Handler, Routes } from '#core/http/operation.ts';
import type { SkillStore } from '#runtime/skills/load-skills.ts';
import type { docsContract } from './contract.ts';
import type { Site } from './describe-index.ts';
import { getAsset } from './get-asset.ts';
import { getFavicon } from './get-favicon.ts';
import { getIndex } from './get-index.ts';
import { getLlmsTxt } from './get-llms-txt.ts';
import { getSchemaVersion } from './get-schema-version.ts';
import type { TextDeps, TextOperation, textRoutes } from './text-routes.ts';

export interface DocsDeps extends Site, TextDeps {
  skills: Pick<SkillStore, 'skills'>;
}

export function docsRoutes(deps: DocsDeps): Routes<typeof docsContract> {
  // `/` is often the first request, so texts about the whole contract are loaded with their first reader.
  let texts: Promise<ReturnType<typeof textRoutes>> | undefined;
  const later =
    (name: TextOperation): Handler =>
    async (input) => {
      texts ??= loadTexts(deps);
      return ((await texts)[name] as Handler)(input);
    };
  return {
    getIndex: getIndex(deps, deps.answerPage),
    getLlmsTxt: getLlmsTxt(deps, deps.skills),
    get: later('get'),
    getMd: later('getMd'),
    getLlmsFull: later('getLlmsFull'),
    getSchema: later('getSchema'),
    getSchemaJson: later('getSchemaJson'),
    getSchemaVersion: getSchemaVersion(deps.contract_version),
    getErrorPage: later('getErrorPage'),
    getFavicon: getFavicon(),
    getAsset: getAsset(),
  };
}

async function loadTexts(deps: DocsDeps): Promise<ReturnType<typeof textRoutes>> {
  const { textRoutes } = await import('./text-routes.ts');
  return textRoutes(deps);
}
