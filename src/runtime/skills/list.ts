import { jsonPage } from '#core/http/json-page.ts';
import type { Handler } from '#core/http/operation.ts';
import type { skillsContract } from './contract.ts';
import type { SkillStore } from './load-skills.ts';
import { summaryOf } from './skill-summary.ts';

export const listSkills =
  (store: SkillStore): Handler<typeof skillsContract.list> =>
  ({ query: { limit, offset }, raw_path }) => {
    const items = store.skills.slice(offset, offset + limit).map(summaryOf);
    return jsonPage({ items, total_count: store.skills.length }, { limit, offset }, raw_path);
  };
