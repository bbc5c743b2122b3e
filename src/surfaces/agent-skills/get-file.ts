import type { Handler } from '#core/http/operation.ts';
import { runtimeProblem } from '#runtime/errors.ts';
import type { agentSkillsContract } from './contract.ts';
import type { PackedSkills } from './packed-skills.ts';

/** GET /.well-known/agent-skills/{name}/{path}. The path is only a key among the skill's files. */
export const getAgentSkillFile =
  (packed: Pick<PackedSkills, 'find'>): Handler<typeof agentSkillsContract.getFile> =>
  async ({ params }) => {
    const skill = await packed.find(params.name);
    const file = skill.files.find(({ path }) => path === params.path);
    const body = file === undefined ? undefined : (await skill.contents()).get(file.path);
    if (file === undefined || body === undefined) {
      const names = skill.files.slice(0, 20).map(({ path }) => path);
      const detail = `The skill ${skill.name} has no such file. Available files: ${names.join(', ')}.`;
      throw runtimeProblem('skills.not_found', detail, { reason: 'file' });
    }
    return { media_type: file.media_type, body, etag: file.sha256 };
  };
