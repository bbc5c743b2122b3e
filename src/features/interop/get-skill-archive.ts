import type { Handler } from '../../platform/http/operation.ts';
import { findSkill } from '../skills/find-skill.ts';
import type { interopContract } from './contract.ts';
import type { PackedSkills } from './skills/packed-skills.ts';

/** GET /.well-known/agent-skills/{name}/skill.tar.gz */
export const getSkillArchive =
  (packed: PackedSkills): Handler<typeof interopContract.getSkillArchive> =>
  ({ params }) => {
    const { bytes, sha256 } = packed.archive(findSkill(packed.shelf, params.name));
    return { media_type: 'application/gzip', body: bytes, etag: sha256 };
  };
