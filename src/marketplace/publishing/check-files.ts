import { error, inOrder, openReport, quoted, type Violation, warning } from '#catalog/checks/violation.ts';
import type { ExecutionClass, ListingType } from '#catalog/items/kinds.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import type { Share } from '#core/fair-queue/share.ts';
import { deprecatedLicenses, licenseIn } from '#core/text/license.ts';
import { filesUnfit } from '#marketplace/listings/refusals.ts';
import { checkHarnessApart } from '#runtime/harnesses/check-harness-apart.ts';
import { HARNESS_MD, HARNESS_YAML } from '#runtime/harnesses/harness.ts';
import { RIG_YAML } from '#runtime/rigs/read-rig-yaml.ts';
import { type GivenFiles, readGivenFiles } from '#runtime/skills/checks/given-files.ts';
import { validateSkill } from '#runtime/skills/checks/validate-skill.ts';
import { byPath, isSkillPath } from '#runtime/skills/skill.ts';
import { checkRigFiles } from './check-rig-files.ts';
import type { KindChecked } from './kind-checked.ts';

/** The static checks of files to publish: their type and all findings. */

const PUBLISHING_RULES = {
  'name-differs': error('Publish under the name in the file, or change the file.'),
  'path-plain': error('Use letters, digits, dots, hyphens and underscores. Remove hidden files.'),
  'version-differs': warning('Set the file to the published version, or remove it from the file.'),
  'license-differs': warning('Use the same license in the file and in the request.'),
  'license-deprecated': warning('Use the current SPDX identifier, which ends in -only or -or-later.'),
};

export interface PublishedFile {
  path: string;
  /** Bytes. */
  size: number;
  sha256: string;
}

export interface CheckedFiles {
  listing_type: ListingType;
  execution_class: ExecutionClass;
  description: string;
  /** `sha256:<hex>` over all files, like that of skills. */
  digest: string;
  /** Sorted by path. */
  files: PublishedFile[];
  bytes: number;
  contents: ReadonlyMap<string, Uint8Array>;
  /** After `checkFiles` warnings only. Errors first. */
  findings: Violation[];
}

interface Wanted {
  /** Without the publisher. */
  name: string;
  version: string;
  license: string;
  files: GivenFiles;
}

/** Files that may break the format, with what they say about themselves. */
export interface ExaminedFiles extends CheckedFiles {
  /** `""` where the files do not say it. */
  written: { name: string; version: string; license: string };
}

/** Throws `marketplace.files_invalid` (`format`) with all format errors. Other findings do not prevent publishing. */
export async function checkFiles(wanted: Wanted, share: Share): Promise<CheckedFiles> {
  const examined = await examineFiles(wanted, share);
  const errors = examined.findings.filter(({ severity }) => severity === 'error');
  if (errors.length > 0) throw filesUnfit(errors);
  return examined;
}

/** What is not known yet, such as the name, is an empty text and is not compared. */
export async function examineFiles(
  { name, version, license, files: given }: Wanted,
  share: Share,
): Promise<ExaminedFiles> {
  const { files: contents, paths } = readGivenFiles(given);
  const checked = await checkKind(contents, paths, name, share);
  const found = [...checked.violations, ...paperViolations(checked, { name, version, license }, paths)];
  const files = [...contents]
    .map(([path, content]) => ({ path, size: content.length, sha256: sha256(content) }))
    .sort(byPath);
  return {
    listing_type: checked.listing_type,
    execution_class: checked.execution_class,
    description: checked.description,
    digest: checked.digest,
    files,
    contents,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    findings: found.toSorted(inOrder),
    written: { name: checked.name, version: checked.version, license: checked.license },
  };
}

interface Stored extends Omit<Wanted, 'files'> {
  contents: Map<string, Uint8Array>;
}

/** Checks previously published files with the current rules. Returns warnings, without rules that apply only to publishing. */
export async function recheckFiles({ contents, ...wanted }: Stored, share: Share): Promise<Violation[]> {
  const paths = [...contents.keys()];
  const checked = await checkKind(contents, paths, wanted.name, share);
  const found = [...checked.violations, ...paperViolations(checked, wanted, paths)];
  return found.filter(({ severity }) => severity === 'warning').toSorted(inOrder);
}

const SKILL_MD = 'SKILL.md';

async function checkKind(
  contents: Map<string, Uint8Array>,
  paths: string[],
  name: string,
  share: Share,
): Promise<KindChecked> {
  const about = name === '' ? { paths } : { paths, directory: name };
  if (contents.has(HARNESS_MD) || contents.has(HARNESS_YAML)) {
    const checked = await checkHarnessApart({ files: contents, ...about }, share);
    const license = checked.manifest?.metadata.license ?? checked.frontmatter?.license ?? '';
    return { ...checked, license, listing_type: 'harness', execution_class: 'prompt' };
  }
  if (contents.has(RIG_YAML) && !contents.has(SKILL_MD)) return checkRigFiles(contents, paths, share);
  const checked = await validateSkill(contents, { share, ...about });
  return { ...checked, license: licenseIn(textHead(contents)), listing_type: 'skill' };
}

const textHead = (contents: ReadonlyMap<string, Uint8Array>): string =>
  Buffer.from(contents.get(SKILL_MD)?.subarray(0, 8_192) ?? '').toString('utf8');

const MAIN = { skill: SKILL_MD, harness: HARNESS_MD, rig: RIG_YAML, server: '' } as const;

function paperViolations(
  checked: KindChecked,
  { name, version, license }: Omit<Wanted, 'files'>,
  paths: readonly string[],
): Violation[] {
  const report = openReport(PUBLISHING_RULES);
  const main = MAIN[checked.listing_type];
  if (name !== '' && checked.name !== '' && checked.name !== name && checked.listing_type === 'rig')
    report.add('name-differs', main, `The file has ${quoted(checked.name)}.`);
  if (version !== '' && checked.version !== '' && checked.version !== version)
    report.add(
      'version-differs',
      main,
      `The file has ${quoted(checked.version)}, but ${quoted(version)} is published.`,
    );
  if (license !== '' && checked.license !== '' && checked.license.toLowerCase() !== license.toLowerCase())
    report.add(
      'license-differs',
      main,
      `The file has ${quoted(checked.license)}, but ${quoted(license)} is published.`,
    );
  for (const id of deprecatedLicenses(license))
    report.add('license-deprecated', main, `SPDX has deprecated ${quoted(id)}.`);
  for (const path of paths)
    if (!isSkillPath(path)) report.add('path-plain', path, `${quoted(path)} is not a plain path.`);
  return report.violations();
}
