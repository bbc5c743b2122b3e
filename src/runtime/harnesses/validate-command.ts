import type { Dirent } from 'node:fs';
import { lstat, readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { error, openReport, quoted, type Violation } from '#catalog/checks/violation.ts';
import { countsOf, lineOf, listViolations } from '#catalog/checks/violation-list.ts';
import type { CommandIo } from '#core/command-io.ts';
import { coreProblem } from '#core/errors.ts';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { Problem } from '#core/problem/problem.ts';
import { validateSkill } from '#runtime/skills/checks/validate-skill.ts';
import { SKILL_LIMITS } from '#runtime/skills/load-skills.ts';
import { checkHarnessApart } from './check-harness-apart.ts';
import { HARNESS_MD, HARNESS_YAML } from './harness.ts';

/** `capstand validate DIR`: checks a directory before it is published. Reads files only. */

export const TREE_RULES = {
  'link-in-tree': error('Include the file itself: links are not followed.'),
  'too-much': error('Remove unneeded files, or split the directory.'),
};

const EXIT = { valid: 0, invalid: 1, usage: 2 } as const;

export async function validateCommand(argv: string[], io: Pick<CommandIo, 'stdout' | 'stderr'>): Promise<number> {
  const { values, positionals } = parseArgs({
    args: argv,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false }, quiet: { type: 'boolean', default: false } },
  });
  const [dir, ...more] = positionals;
  if (dir === undefined || more.length > 0) {
    io.stderr.write('capstand validate: Name one directory. See capstand validate --help.\n');
    return EXIT.usage;
  }
  const tree = await readTree(resolve(dir));
  const about = { directory: basename(resolve(dir)) };
  const isHarness = tree.files.has(HARNESS_MD) || tree.files.has(HARNESS_YAML);
  const checked = isHarness
    ? await checkHarnessApart({ files: tree.files, ...about }, OWN_SHARE)
    : await validateSkill(tree.files, { share: OWN_SHARE, ...about });
  const violations = [...tree.violations, ...checked.violations];
  const { valid, errors, warnings } = listViolations(violations);
  if (values.json)
    io.stdout.write(
      `${JSON.stringify({ kind: isHarness ? 'harness' : 'skill', valid, errors, warnings, violations })}\n`,
    );
  else {
    const shown = values.quiet ? violations.filter(({ severity }) => severity === 'error') : violations;
    for (const violation of shown)
      io.stdout.write(`${lineOf({ ...violation, path: join(dir, violation.path) })} ${violation.fix}\n`);
    io.stdout.write(`${isHarness ? 'harness' : 'skill'} ${valid ? 'valid' : 'not valid'}: ${countsOf(violations)}\n`);
  }
  return valid ? EXIT.valid : EXIT.invalid;
}

/** Skips hidden files, as an installation does. Links are reported and not followed. */
async function readTree(dir: string): Promise<{ files: Map<string, Uint8Array>; violations: Violation[] }> {
  const files = new Map<string, Uint8Array>();
  const report = openReport(TREE_RULES);
  let total = 0;
  /** False if no further file fits. */
  const take = async (path: string): Promise<boolean> => {
    const { size } = await lstat(join(dir, path));
    total += size;
    const isFull = total > SKILL_LIMITS.total_bytes || files.size >= SKILL_LIMITS.files;
    if (isFull || size > SKILL_LIMITS.file_bytes)
      report.add('too-much', path, `${quoted(path)} is over ${SKILL_LIMITS.file_bytes} bytes, or one file too many.`);
    else files.set(path, await readFile(join(dir, path)));
    return !isFull;
  };
  const walk = async (at: string): Promise<void> => {
    for (const entry of await entriesIn(join(dir, at))) {
      const path = at === '' ? entry.name : `${at}/${entry.name}`;
      const isTooDeep = path.split('/').length > SKILL_LIMITS.depth + 2;
      if (entry.isDirectory() && isTooDeep) report.add('too-much', path, `${quoted(path)} is nested too deep.`);
      else if (entry.isDirectory()) await walk(path);
      else if (!entry.isFile()) report.add('link-in-tree', path, `${quoted(path)} is a link or not a regular file.`);
      else if (!(await take(path))) return;
    }
  };
  await walk('');
  return { files, violations: report.violations() };
}

/** By name, without hidden ones and those that tools make. */
async function entriesIn(dir: string): Promise<Dirent[]> {
  const entries = await readdir(dir, { withFileTypes: true }).catch((cause) => {
    throw unreadable(`${dir} cannot be read: ${(cause as Error).message}.`, cause);
  });
  return entries
    .filter(({ name }) => !name.startsWith('.') && name !== 'node_modules' && name !== '__pycache__')
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const unreadable = (detail: string, cause?: unknown): Problem =>
  coreProblem('command.invalid', detail, { reason: 'directory', cause });
