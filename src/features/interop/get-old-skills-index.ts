import { type Handler, json } from '../../platform/http/operation.ts';
import type { SkillShelf } from '../skills/load-skills.ts';
import type { interopContract } from './contract.ts';

/** GET /.well-known/skills/index.json */
export const getOldSkillsIndex =
  ({ skills }: Pick<SkillShelf, 'skills'>): Handler<typeof interopContract.getOldSkillsIndex> =>
  () =>
    json({
      skills: skills.map(({ name, description, files }) => ({ name, description, files: files.map((it) => it.path) })),
    });
