import { defined } from '#core/defined.ts';
import type { Handler, Reply } from '#core/http/operation.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { skillsContract } from './contract.ts';
import { findSkill } from './find-skill.ts';
import type { SkillStore } from './load-skills.ts';
import type { Skill } from './skill.ts';

export const getSkillFile =
  (store: SkillStore): Handler<typeof skillsContract.getFile> =>
  ({ params }) =>
    fileReply(findSkill(store, params.name), params.path);

/** The path is only a key: it is never joined, decoded again or normalised, so it cannot leave the skill. */
export function fileReply(skill: Skill, path: string): Reply {
  const file = skill.files.find((candidate) => candidate.path === path);
  const bytes = skill.contents.get(path);
  if (!file || !bytes)
    throw runtimeProblem(
      'skills.not_found',
      `The skill ${skill.name} has no file ${JSON.stringify(path.slice(0, 100))}. GET /api/skills/${skill.name} lists its files.`,
      { reason: 'file' },
    );
  const isBinary = file.media_type === 'application/octet-stream';
  return {
    media_type: file.media_type,
    body: bytes,
    etag: file.sha256,
    ...defined({ headers: isBinary ? { 'content-disposition': 'attachment' } : undefined }),
  };
}
