import { error, inOrder, openReport, quoted, type Report, type Violation, warning } from '#catalog/checks/violation.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import { bodyViolations, linkViolations } from '#runtime/skills/checks/body-rules.ts';
import { checkSkill, fileViolations, licenseDoubt } from '#runtime/skills/checks/check-skill.ts';
import { pathViolations } from '#runtime/skills/checks/path-rules.ts';
import { textOf } from '#runtime/skills/frontmatter.ts';
import { digestOf } from '#runtime/skills/skill.ts';
import {
  HARNESS_MD,
  HARNESS_YAML,
  type HarnessFrontmatter,
  type HarnessManifest,
  skillDirectories,
} from './harness.ts';
import { readHarnessMd } from './harness-md.ts';
import { type ManifestRead, readHarnessYaml } from './harness-yaml.ts';
import { MANIFEST_RULES } from './manifest-rules.ts';
import { variablesOf } from './manifest-servers.ts';
import { type Page, referenceViolations } from './reference-rules.ts';

/** The static checks of a harness's files. Pure. */

export const HARNESS_RULES = {
  ...MANIFEST_RULES,
  'harness-md-missing': error(
    'Add HARNESS.md at the root: a frontmatter with name and description, then instructions.',
  ),
  'harness-md-unreadable': error('Save HARNESS.md as UTF-8 text of at most 512 KB.'),
  'frontmatter-missing': error('Begin HARNESS.md with a line ---, then name: and description:, then another line ---.'),
  'frontmatter-yaml': error('Write plain YAML: one key a line; put texts with a colon or a # in quotes.'),
  'frontmatter-key': error('Put it under metadata, as text in quotes.'),
  'frontmatter-form': error('Use the expected format.'),
  'license-unknown': warning(
    'Write an SPDX expression such as MIT or Apache-2.0, name a license file, or use LicenseRef-Proprietary.',
  ),
  'name-differs': error('Give both files the same name.'),
  'skill-missing': error('Add SKILL.md in that directory, or remove the entry.'),
  'skill-contains-harness': error('Name a directory below skills/: a harness cannot be a skill of itself.'),
  'skill-unlisted': warning('List it under skills in harness.yaml, or remove the directory.'),
  'instructions-missing': error('Add the file, or correct the path.'),
  'skills-stray': warning('Put each skill into a separate directory: skills/name/SKILL.md.'),
};

export interface CheckedHarness {
  /** `""` where HARNESS.md does not say it. */
  name: string;
  description: string;
  /** From harness.yaml, otherwise from HARNESS.md's metadata; `""` if neither has it. */
  version: string;
  digest: string;
  frontmatter: HarnessFrontmatter | null;
  /** Null if harness.yaml is missing or unreadable. */
  manifest: HarnessManifest | null;
  /** Directories of skills that are here. */
  skills: string[];
  violations: Violation[];
}

type Files = ReadonlyMap<string, Uint8Array>;
type HarnessReport = Report<keyof typeof HARNESS_RULES>;

/** `paths` includes duplicates that the map of files lost; `directory` is the name of the harness's directory, if known. */
export function checkHarness(
  files: Files,
  { paths = [...files.keys()], directory }: { paths?: string[]; directory?: string } = {},
): CheckedHarness {
  const report = openReport(HARNESS_RULES);
  const bytes = files.get(HARNESS_MD);
  const md = bytes === undefined ? null : readHarnessMd(bytes, directory);
  if (md === null) report.add('harness-md-missing', HARNESS_MD, 'HARNESS.md is missing at the root.');
  for (const { rule, detail, place } of md?.faults ?? []) report.add(rule, HARNESS_MD, detail, place);
  const yaml = files.get(HARNESS_YAML);
  const written = yaml === undefined ? null : readHarnessYaml(yaml);
  for (const { rule, detail, place } of written?.faults ?? []) report.add(rule, HARNESS_YAML, detail, place);
  const map = md?.read?.map ?? {};
  const license = licenseDoubt(stringOf(map.license));
  if (license !== null) report.add('license-unknown', HARNESS_MD, license, md?.read?.placeOf(['license']));
  const manifestLicense = licenseDoubt(written?.manifest?.metadata.license ?? '');
  if (manifestLicense !== null)
    report.add('license-unknown', HARNESS_YAML, manifestLicense, written?.placeOf(['metadata', 'license']));
  if (written !== null) checkManifest(written, map.name, paths, report);
  const skills = skillDirectories(paths);
  for (const path of paths)
    if (/^skills\/[^/]+$/.test(path)) report.add('skills-stray', path, `${quoted(path)} is not a directory.`);
  const pages = pagesOf(files, md?.read ?? null, skills);
  const own = [...files].filter(([path]) => !isIn(path, skills));
  const found = [
    ...pathViolations(paths),
    ...report.violations(),
    ...(md?.read ? bodyViolations(md.read, paths, HARNESS_MD) : []),
    ...[...pages].flatMap(([path, page]) =>
      path === HARNESS_MD ? [] : linkViolations(path, page.text, page.first_line, paths),
    ),
    ...referenceViolations(pages, paths),
    ...own.flatMap(([path, file]) => fileViolations(path, file)),
    ...skills.flatMap((dir) => skillViolations(dir, files)),
  ];
  return {
    name: stringOf(map.name),
    description: stringOf(map.description),
    version: written?.manifest?.metadata.version ?? md?.frontmatter?.metadata?.version ?? '',
    digest: digestOf([...files].map(([path, file]) => ({ path, sha256: sha256(file) }))),
    frontmatter: md?.frontmatter ?? null,
    manifest: written?.manifest ?? null,
    skills,
    violations: found.toSorted(inOrder),
  };
}

/** harness.yaml against the files beside it. */
function checkManifest(
  { manifest, placeOf }: ManifestRead,
  name: unknown,
  paths: readonly string[],
  report: HarnessReport,
): void {
  if (manifest === null) return;
  const add: AddFault = (rule, detail, path) => report.add(rule, HARNESS_YAML, detail, placeOf(path));
  checkName(manifest, name, add);
  checkListedSkills(manifest, paths, add);
  checkUnlistedSkills(manifest, paths, add);
  checkInstructions(manifest, paths, add);
  checkVariables(manifest, add);
}

type AddFault = (
  rule: keyof typeof HARNESS_RULES,
  detail: string,
  path: Parameters<ManifestRead['placeOf']>[0],
) => void;

function checkName({ metadata }: HarnessManifest, name: unknown, add: AddFault): void {
  if (metadata.name === null || typeof name !== 'string' || metadata.name === name) return;
  add('name-differs', `The name is ${quoted(metadata.name)} here and ${quoted(name)} in HARNESS.md.`, [
    'metadata',
    'name',
  ]);
}

function checkListedSkills({ skills }: HarnessManifest, paths: readonly string[], add: AddFault): void {
  for (const [index, { path }] of skills.entries()) {
    if (path === null) continue;
    if (!/^skills\/[^/]+$/.test(path) || path.endsWith('..'))
      add('skill-contains-harness', `${quoted(path)} is not a directory below skills/.`, ['skills', index]);
    else if (!paths.includes(`${path}/SKILL.md`))
      add('skill-missing', `There is no ${quoted(`${path}/SKILL.md`)}.`, ['skills', index]);
  }
}

/** A manifest without a list of skills takes all of them. */
function checkUnlistedSkills({ skills }: HarnessManifest, paths: readonly string[], add: AddFault): void {
  if (skills.length === 0) return;
  const listed = skills.map(({ path }) => path);
  for (const dir of skillDirectories(paths))
    if (!listed.includes(dir)) add('skill-unlisted', `${quoted(dir)} exists, but is not listed.`, ['skills']);
}

function checkInstructions({ instructions }: HarnessManifest, paths: readonly string[], add: AddFault): void {
  for (const [index, instruction] of instructions.entries())
    if ('path' in instruction && !paths.includes(instruction.path))
      add('instructions-missing', `There is no ${quoted(instruction.path)}.`, ['instructions', index]);
}

function checkVariables({ env, mcp_servers }: HarnessManifest, add: AddFault): void {
  const declared = new Set(env.map((variable) => variable.name));
  for (const server of mcp_servers) {
    const undeclared = new Set(variablesOf(server)).difference(declared);
    for (const variable of undeclared)
      add('env-undeclared', `${quoted(server.name)} wants ${quoted(variable)}.`, ['mcp-servers', server.name]);
  }
}

/** Applies the rules of skills to each skill below skills/. */
function skillViolations(dir: string, files: Files): Violation[] {
  const within = new Map(
    [...files].flatMap(([path, file]) => (path.startsWith(`${dir}/`) ? [[path.slice(dir.length + 1), file]] : [])),
  );
  const { violations } = checkSkill(within, { directory: dir.slice('skills/'.length) });
  return violations
    .filter(({ rule }) => !rule.startsWith('path-'))
    .map((violation) => ({ ...violation, path: `${dir}/${violation.path}` }));
}

/** HARNESS.md and the Markdown that is not a skill's. */
function pagesOf(
  files: Files,
  main: { body: string; body_line: number } | null,
  skills: readonly string[],
): Map<string, Page> {
  const pages = new Map<string, Page>();
  for (const [path, bytes] of files) {
    if (!path.endsWith('.md') || isIn(path, skills)) continue;
    const text = path === HARNESS_MD ? main?.body : textOf(bytes);
    if (typeof text === 'string')
      pages.set(path, { text, first_line: path === HARNESS_MD ? (main?.body_line ?? 1) : 1 });
  }
  return pages;
}

const isIn = (path: string, directories: readonly string[]): boolean =>
  directories.some((dir) => path.startsWith(`${dir}/`));

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
