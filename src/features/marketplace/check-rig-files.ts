import { RIG_YAML, readRigYaml } from '../rigs/read-rig-yaml.ts';
import { fileViolations } from '../skills/checks/check-skill.ts';
import { pathViolations } from '../skills/checks/path-rules.ts';
import { textOf } from '../skills/frontmatter.ts';
import { digestOf, sha256 } from '../skills/skill.ts';
import type { KindChecked } from './kind-checked.ts';

/** A directory with a rig.yaml: the rig by the rules of rigs, every file by those of files. */
export async function checkRigFiles(
  contents: ReadonlyMap<string, Uint8Array>,
  paths: readonly string[],
): Promise<KindChecked> {
  const { rig, violations } = await readRigYaml(textOf(contents.get(RIG_YAML) as Uint8Array) ?? '\0');
  const { name = '', description = '', version = '', license = '' } = rig?.metadata ?? {};
  return {
    ...{ name, description, version, license, listing_type: 'rig', execution_class: 'prompt' },
    digest: digestOf([...contents].map(([path, it]) => ({ path, sha256: sha256(it) }))),
    violations: [
      ...pathViolations(paths),
      ...violations,
      ...[...contents].flatMap(([path, bytes]) => fileViolations(path, bytes)),
    ],
  };
}
