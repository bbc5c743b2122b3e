import { maliceViolations } from '#catalog/checks/malice-signs.ts';
import { textViolations } from '#catalog/checks/text-signs.ts';
import { error, inOrder, openReport, quoted, type Report, type Violation, warning } from '#catalog/checks/violation.ts';
import { EXECUTION_CLASSES, type ExecutionClass } from '#catalog/items/kinds.ts';
import { sha256 } from '#core/crypto/sha256.ts';
import { isRecord } from '#core/record.ts';
import { licenseFault, namesLicenseFile } from '#core/text/license.ts';
import { START } from '#core/text/lines.ts';
import { classOfSkill, findEntry } from '../entry.ts';
import { type Frontmatter, readFrontmatter, textOf } from '../frontmatter.ts';
import { frontmatterViolations } from '../parse-skill-md.ts';
import { digestOf, isSkillName, languageOf } from '../skill.ts';
import { bodyViolations } from './body-rules.ts';
import { checkJsonFiles } from './json-rules.ts';
import { pathViolations } from './path-rules.ts';
import { isScriptPath, scriptViolations } from './script-rules.ts';

/** The static checks of a skill's files, for validation, authoring and publishing. Pure. */

export const SKILL_RULES = {
  'skill-md-missing': error('Add SKILL.md at the root: a frontmatter with name and description, then instructions.'),
  'skill-md-unreadable': error('Save SKILL.md as UTF-8 text of at most 512 KB.'),
  'frontmatter-missing': error('Begin SKILL.md with a line ---, then name: and description:, then another line ---.'),
  'frontmatter-yaml': error('Write plain YAML: one key a line; put texts with a colon or a # in quotes.'),
  'frontmatter-key': error('Put it under metadata, as text in quotes.'),
  'name-form': error('Use 1 to 64 lower-case letters and digits, in words that single hyphens join.'),
  'name-directory': error('Give the directory and the skill the same name.'),
  'description-form': error('Describe in 1 to 1024 characters what the skill does and when to use it.'),
  'field-form': error('Write it as one text in quotes, or leave it out.'),
  'metadata-form': error('Write metadata as a map of text to text, numbers and dates in quotes.'),
  'class-unknown': error(`Use ${EXECUTION_CLASSES.join(', ')}, or leave it out.`),
  'entry-missing': error('Name a script under scripts/ that ends in .sh, .py, .js or .mjs.'),
  'license-unknown': warning(
    'Write an SPDX expression such as MIT or Apache-2.0, name a license file, or use LicenseRef-Proprietary.',
  ),
  'version-form': warning('Use three numbers in quotes, such as "1.0.0".'),
};

export interface CheckedSkill {
  /** `""` where SKILL.md does not say it. */
  name: string;
  description: string;
  version: string;
  execution_class: ExecutionClass;
  /** As `digestOf` has it. */
  digest: string;
  schema: Record<string, unknown> | null;
  example: { input: unknown } | null;
  violations: Violation[];
}

type SkillReport = Report<keyof typeof SKILL_RULES>;
type Files = ReadonlyMap<string, Uint8Array>;

/** `paths` includes duplicates that the map of files lost; `directory` is the name of the skill's directory, if known. */
export function checkSkill(
  files: Files,
  { paths = [...files.keys()], directory }: { paths?: string[]; directory?: string } = {},
): CheckedSkill {
  const report = openReport(SKILL_RULES);
  const main = readMain(files, report);
  const map = main?.map ?? {};
  if (main !== null) checkFrontmatter(main, directory, report);
  const license = licenseDoubt(stringOf(map.license));
  if (license !== null) report.add('license-unknown', 'SKILL.md', license, main?.placeOf(['license']));
  const metadata = isRecord(map.metadata) ? map.metadata : {};
  const name = stringOf(map.name);
  const written = stringOf(metadata['capstan-execution-class']);
  const entry = findEntry(name, stringOf(metadata['capstan-entry']), paths);
  if (main !== null) checkMetadata(main, metadata, paths, report);
  const json = checkJsonFiles(files);
  const found = [
    ...pathViolations(paths),
    ...report.violations(),
    ...(main === null ? [] : bodyViolations(main, paths)),
    ...json.violations,
    ...[...files].flatMap(([path, bytes]) => fileViolations(path, bytes)),
  ];
  return {
    name,
    description: stringOf(map.description),
    version: stringOf(metadata.version),
    execution_class: written === 'mcp' ? 'mcp' : classOfSkill(written, entry),
    digest: digestOf([...files].map(([path, bytes]) => ({ path, sha256: sha256(bytes) }))),
    schema: json.schema,
    example: json.example,
    violations: found.toSorted(inOrder),
  };
}

/** Of a skill or a harness: null where its license is one that programs know, or a file that people can read. */
export function licenseDoubt(license: string): string | null {
  if (license === '' || namesLicenseFile(license)) return null;
  const fault = licenseFault(license);
  // A fault may repeat a word of it.
  return fault === null ? null : `The license ${quoted(license)} is not an SPDX expression.${hintIn(fault)}`;
}

function hintIn(fault: string): string {
  const [hint] = /did you mean [\w.+-]+\?$/.exec(fault) ?? [];
  return hint === undefined ? '' : ` ${hint[0]?.toUpperCase()}${hint.slice(1)}`;
}

export function fileViolations(path: string, bytes: Uint8Array): Violation[] {
  const text = textOf(bytes);
  const signs =
    text === null || text.includes('\0') ? [] : textViolations(path, text, { markdown: /\.md$/i.test(path) });
  const is_script = isScriptPath(path);
  const malice = text === null || text.includes('\0') ? [] : maliceViolations(path, text, { is_script });
  return [...malice, ...signs, ...(is_script ? scriptViolations(path, bytes) : [])];
}

function readMain(files: Files, report: SkillReport): Frontmatter | null {
  const bytes = files.get('SKILL.md');
  if (bytes === undefined) {
    const near = [...files.keys()].find((path) => /(?:^|\/)skill\.md$/i.test(path));
    const hint =
      near === undefined ? '' : ` ${quoted(near)} is not in its place: the name is in capitals, at the root.`;
    report.add('skill-md-missing', 'SKILL.md', `SKILL.md is missing.${hint}`);
    return null;
  }
  const read = readFrontmatter(bytes);
  if (read.ok) return read.value;
  const rule = ({ file: 'skill-md-unreadable', yaml: 'frontmatter-yaml' } as const)[read.fault as 'file'];
  report.add(rule ?? 'frontmatter-missing', 'SKILL.md', `SKILL.md ${read.detail}.`, read.place);
  return null;
}

function checkFrontmatter({ map, placeOf }: Frontmatter, directory: string | undefined, report: SkillReport): void {
  for (const { pointer, detail } of frontmatterViolations(map, directory)) {
    const path = pointer
      .split('/')
      .slice(1)
      .map((segment) => segment.replaceAll('~1', '/').replaceAll('~0', '~'));
    const [key = ''] = path;
    const present = Object.hasOwn(map, key);
    const said = present ? `${quoted(path.join('.'))} ${detail}.` : `${key} is missing: it ${detail}.`;
    if (key !== 'name') report.add(RULE_OF[key] ?? 'frontmatter-key', 'SKILL.md', said, placeOf(path));
    else if (isSkillName(stringOf(map.name))) report.add('name-directory', 'SKILL.md', said, placeOf(path));
    else report.add('name-form', 'SKILL.md', present ? nameFault(map.name) : said, placeOf(path));
  }
}

const RULE_OF: Record<string, keyof typeof SKILL_RULES | undefined> = {
  description: 'description-form',
  license: 'field-form',
  compatibility: 'field-form',
  'allowed-tools': 'field-form',
  metadata: 'metadata-form',
};

function nameFault(name: unknown): string {
  if (typeof name !== 'string') return 'The name is not a string.';
  if (name === '') return 'The name is empty.';
  if (name.length > 64) return `The name has ${name.length} characters; 64 are allowed.`;
  if (/^-|-$/.test(name)) return `The name ${quoted(name)} begins or ends with a hyphen.`;
  if (name.includes('--')) return `The name ${quoted(name)} has two hyphens together.`;
  return `The name ${quoted(name)} contains characters other than lower-case letters, digits and hyphens.`;
}

/** The service's keys, which say how a skill runs. */
function checkMetadata(
  { placeOf }: Frontmatter,
  metadata: Record<string, unknown>,
  paths: string[],
  report: SkillReport,
): void {
  const at = (key: string) => placeOf(['metadata', key]) ?? START;
  const written = stringOf(metadata['capstan-execution-class']);
  const known: readonly string[] = EXECUTION_CLASSES;
  if (written !== '' && !known.includes(written))
    report.add(
      'class-unknown',
      'SKILL.md',
      `${quoted(written)} is not an execution class.`,
      at('capstan-execution-class'),
    );
  const entry = stringOf(metadata['capstan-entry']);
  if (entry !== '' && !(entry.startsWith('scripts/') && paths.includes(entry) && languageOf(entry) !== undefined))
    report.add(
      'entry-missing',
      'SKILL.md',
      `capstan-entry names ${quoted(entry)}, which is not a script here.`,
      at('capstan-entry'),
    );
  if (entry === '' && written === 'scripted')
    report.add(
      'entry-missing',
      'SKILL.md',
      'A scripted skill names its script in capstan-entry.',
      at('capstan-execution-class'),
    );
  const { version } = metadata;
  if (typeof version === 'string' && !/^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/.test(version))
    report.add('version-form', 'SKILL.md', `${quoted(version)} is not a version of three numbers.`, at('version'));
}

const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
