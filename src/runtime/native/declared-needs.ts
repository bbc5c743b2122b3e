import { checkNpmName } from '#runtime/packages/npm-names.ts';
import { metadataMap } from '#runtime/skills/metadata-map.ts';
import { noNeeds, type SkillNeeds } from './needs.ts';
import { readRequirement } from './python-needs.ts';

/**
 * `metadata.openclaw` of a SKILL.md, as skills of ClawHub write it: programs and variables under `requires`, and under `install`
 * how a program gets onto a machine. Only packages of npm and PyPI are installed; other programs have to be on the machine.
 */

const PROGRAMS = ['openclaw', 'clawdbot', 'moltbot'];
const PROGRAM = /^[A-Za-z0-9][A-Za-z0-9._+-]{0,63}$/;
const VARIABLE = /^[A-Za-z_]\w{0,99}$/;
const MOST_DECLARED = 50;

export function readDeclaredNeeds(metadata: Readonly<Record<string, unknown>>): SkillNeeds {
  const needs = noNeeds();
  for (const program of PROGRAMS) {
    const { requires, install } = metadataMap(metadata[program]);
    const { bins, anyBins, env } = metadataMap(requires);
    const installed = new Set(listOf(install).flatMap((entry) => addInstall(needs, metadataMap(entry))));
    for (const name of textsOf(bins, PROGRAM)) if (!installed.has(name)) needs.programs.push({ any_of: [name] });
    const any_of = textsOf(anyBins, PROGRAM);
    if (any_of.length > 0 && !any_of.some((name) => installed.has(name))) needs.programs.push({ any_of });
    needs.environment.push(...textsOf(env, VARIABLE));
  }
  return needs;
}

/** Answers the programs that the package brings. */
function addInstall(
  needs: SkillNeeds,
  { kind, package: name, formula, module, bins }: Record<string, unknown>,
): string[] {
  const wanted = typeof name === 'string' ? name : '';
  if (kind === 'uv' || kind === 'pip') {
    const read = readRequirement(wanted, 'install');
    if (typeof read === 'string') needs.refused.push(`install: ${read}`);
    else needs.packages.push(read);
    return typeof read === 'string' ? [] : textsOf(bins, PROGRAM);
  }
  if (kind !== 'node' && kind !== 'npm') return [];
  const [, bare = wanted, range = ''] = /^(@?[^@]+)(?:@(.*))?$/s.exec(wanted) ?? [];
  try {
    needs.packages.push({
      ecosystem: 'npm',
      name: checkNpmName(bare),
      wanted: range === 'latest' ? '' : range,
      from: 'install',
    });
    return textsOf(bins, PROGRAM);
  } catch {
    needs.refused.push(
      `install: ${JSON.stringify(`${formula ?? module ?? wanted}`.slice(0, 80))} is not an npm package.`,
    );
    return [];
  }
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value.slice(0, MOST_DECLARED) : []);

const textsOf = (value: unknown, form: RegExp): string[] =>
  listOf(value).filter((text): text is string => typeof text === 'string' && form.test(text));
