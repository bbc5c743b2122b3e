import { type Handler, json } from '../../platform/http/operation.ts';
import { pageLinks } from '../../platform/http/page-links.ts';
import type { skillsContract } from './contract.ts';
import type { SkillShelf } from './load-skills.ts';
import { summaryOf } from './skill-summary.ts';

export const listSkills =
  (shelf: SkillShelf): Handler<typeof skillsContract.listSkills> =>
  ({ query: { limit, offset }, raw_path }) => {
    const total_count = shelf.skills.length;
    const items = shelf.skills.slice(offset, offset + limit).map(summaryOf);
    const headers = pageLinks(raw_path, { limit, offset, total_count }, `limit=${limit}`);
    return json({ items, total_count, limit, offset }, { headers });
  };
