import { error, openReport, quoted, warning } from '#catalog/checks/violation.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { RIG_YAML, readRigYaml } from '#runtime/rigs/read-rig-yaml.ts';
import type { Rig } from '#runtime/rigs/rig.ts';
import { checkFilesApart } from '#runtime/skills/checks/check-apart.ts';
import { pathViolations } from '#runtime/skills/checks/path-rules.ts';
import { textOf } from '#runtime/skills/frontmatter.ts';
import { digestOf } from '#runtime/skills/skill.ts';
import type { KindChecked } from './kind-checked.ts';

export const RIG_LOCK = 'rig.lock';

const RIG_PUBLISHING_RULES = {
  'rig-lock-missing': error(
    'Save this rig.yaml as a rig and lock it (capstan rigs create, then capstan rigs lock); its lock is ' +
      'then used. Or add rig.lock next to rig.yaml.',
  ),
  'rig-part-private': warning('Reference a published harness, or a listing as the server.'),
};

function privateParts(rig: Rig | null): string[] {
  if (rig === null) return [];
  const { harness, servers } = rig.spec;
  return [
    ...(harness?.ref.startsWith('harness/') ? [harness.ref] : []),
    ...servers.filter(({ connection }) => connection !== '').map(({ name }) => `server ${name}`),
  ];
}

/** Checks a directory with a rig.yaml: the rig by the rules for rigs, and every file by those for files. */
export async function checkRigFiles(
  contents: ReadonlyMap<string, Uint8Array>,
  paths: readonly string[],
  share: Share,
): Promise<KindChecked> {
  const { rig, violations } = await readRigYaml(textOf(contents.get(RIG_YAML) as Uint8Array) ?? '\0', share);
  const { name = '', description = '', version = '', license = '' } = rig?.metadata ?? {};
  const report = openReport(RIG_PUBLISHING_RULES);
  if (!contents.has(RIG_LOCK)) report.add('rig-lock-missing', RIG_LOCK, 'Missing rig.lock.');
  for (const part of privateParts(rig))
    report.add(
      'rig-part-private',
      RIG_YAML,
      `${quoted(part)} belongs to your account, so other users cannot run the rig.`,
    );
  return {
    name,
    description,
    version,
    license,
    listing_type: 'rig',
    execution_class: 'prompt',
    digest: digestOf([...contents].map(([path, content]) => ({ path, sha256: sha256(content) }))),
    violations: [
      ...pathViolations(paths),
      ...violations,
      ...report.violations(),
      ...(await checkFilesApart(contents, share)),
    ],
  };
}
