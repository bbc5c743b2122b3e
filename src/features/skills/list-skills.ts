import { type Handler, json } from '../../platform/http/operation.ts';
import type { skillsContract } from './contract.ts';
import type { SkillShelf } from './load-skills.ts';
import { summaryOf } from './skill-summary.ts';

export const listSkills =
  (shelf: SkillShelf): Handler<typeof skillsContract.listSkills> =>
  ({ query }) => {
    const { limit = 50, offset = 0 } = query;
    const total_count = shelf.skills.length;
    const items = shelf.skills.slice(offset, offset + limit).map(summaryOf);
    const link = pageLinks('/api/skills', { limit, offset, total_count });
    return json({ items, total_count, limit, offset }, link === '' ? {} : { headers: { link } });
  };

function pageLinks(path: string, page: { limit: number; offset: number; total_count: number }): string {
  const { limit, offset, total_count } = page;
  const link = (to: number, rel: string) => `<${path}?limit=${limit}&offset=${to}>; rel="${rel}"`;
  const links: string[] = [];
  if (offset + limit < total_count) links.push(link(offset + limit, 'next'));
  if (offset > 0) links.push(link(Math.max(0, offset - limit), 'prev'));
  return links.join(', ');
}
