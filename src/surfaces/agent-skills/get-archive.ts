import type { Handler } from '#core/http/operation.ts';
import type { agentSkillsContract } from './contract.ts';
import type { PackedSkills } from './packed-skills.ts';

/** GET /.well-known/agent-skills/{name}/skill.tar.gz */
export const getSkillArchive =
  (packed: PackedSkills): Handler<typeof agentSkillsContract.getArchive> =>
  async ({ params }) => {
    const { bytes, sha256 } = await (await packed.find(params.name)).archive();
    return { media_type: 'application/gzip', body: bytes, etag: sha256 };
  };
