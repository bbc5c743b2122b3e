import { type Handler, json } from '#core/http/operation.ts';
import type { agentSkillsContract } from './contract.ts';
import type { PackedSkills } from './packed-skills.ts';

/** GET /.well-known/skills/index.json */
export const getOldSkillsIndex =
  (packed: Pick<PackedSkills, 'list'>): Handler<typeof agentSkillsContract.getOldIndex> =>
  async () => {
    const skills = await packed.list();
    return json({
      skills: skills.map(({ name, description, files }) => ({
        name,
        description,
        files: files.map(({ path }) => path),
      })),
    });
  };
