import type { Handler, Reply } from '../../platform/http/operation.ts';
import { Problem } from '../../platform/problem.ts';
import { findSkill } from '../skills/find-skill.ts';
import type { SkillShelf } from '../skills/load-skills.ts';
import type { interopContract } from './contract.ts';

/** GET /.well-known/agent-skills/{name}/{path}. The path is a key among the skill's files and no more. */
export const getAgentSkillFile =
  (shelf: SkillShelf): Handler<typeof interopContract.getAgentSkillFile> =>
  ({ params }): Reply => {
    const skill = findSkill(shelf, params.name);
    const file = skill.files.find(({ path }) => path === params.path);
    const body = skill.contents.get(params.path);
    if (file === undefined || body === undefined)
      throw new Problem(
        'not_found',
        'skills.file_not_found',
        `The skill ${skill.name} has no such file. GET /api/skills/${skill.name} lists its files.`,
      );
    return { media_type: file.media_type, body, etag: file.sha256 };
  };
