import { sha256 } from '#core/crypto/sha256.ts';

/** The requirements of a skill beyond its files, from its declarations or imports. */

/** The source of a need: a declaration, or the imports of scripts if nothing is declared. */
export type NeedSource = 'script metadata' | 'requirements.txt' | 'package.json' | 'install' | 'import';

export interface PackageNeed {
  ecosystem: 'npm' | 'pypi';
  /** The name in its registry's normal form. */
  name: string;
  /** PyPI: extras and a PEP 440 specifier, such as `[socks]>=2.31`. npm: a range. "" is any version. */
  wanted: string;
  from: NeedSource;
}

interface ProgramNeed {
  /** One of these is enough. */
  any_of: readonly string[];
}

/** An import that no declaration covers and that the reviewed names do not know: it is never guessed. */
interface UnknownImport {
  name: string;
  file: string;
}

export interface SkillNeeds {
  packages: PackageNeed[];
  programs: ProgramNeed[];
  /** Names of environment variables. */
  environment: string[];
  unknown_imports: UnknownImport[];
  /** Modules of the language that the WebAssembly engine does not have, such as `subprocess`. */
  native_modules: string[];
  /** Lines of declarations that cannot be used, each with its reason. */
  refused: string[];
}

export function noNeeds(): SkillNeeds {
  return { packages: [], programs: [], environment: [], unknown_imports: [], native_modules: [], refused: [] };
}

/** Whether the WebAssembly engine is enough. */
export function isSelfContained(needs: SkillNeeds): boolean {
  return Object.values(needs).every((list: readonly unknown[]) => list.length === 0);
}

const MOST_LISTED = 100;

/** Both together; the first declaration of a package wins, because declarations come before imports. */
export function mergeNeeds(all: readonly SkillNeeds[]): SkillNeeds {
  const packages = new Map<string, PackageNeed>();
  for (const need of all.flatMap((needs) => needs.packages)) {
    const key = `${need.ecosystem}:${need.name}`;
    if (!packages.has(key)) packages.set(key, need);
  }
  const programs = new Map(
    all.flatMap((needs) => needs.programs).map((program) => [program.any_of.join('|'), program] as const),
  );
  const imports = new Map(
    all.flatMap((needs) => needs.unknown_imports).map((unknown) => [unknown.name, unknown] as const),
  );
  const unique = (texts: readonly string[]) => [...new Set(texts)].slice(0, MOST_LISTED);
  return {
    packages: [...packages.values()].slice(0, MOST_LISTED),
    programs: [...programs.values()].slice(0, MOST_LISTED),
    environment: unique(all.flatMap((needs) => needs.environment)),
    unknown_imports: [...imports.values()].slice(0, MOST_LISTED),
    native_modules: unique(all.flatMap((needs) => needs.native_modules)),
    refused: unique(all.flatMap((needs) => needs.refused)),
  };
}

/** Identifies the packages that a skill asks for, in any order; of one ecosystem, or of both. */
export function packagesDigest(
  { packages }: Pick<SkillNeeds, 'packages'>,
  ecosystem?: PackageNeed['ecosystem'],
): string {
  const wanted = packages
    .filter((need) => ecosystem === undefined || need.ecosystem === ecosystem)
    .map((need) => `${need.ecosystem} ${need.name} ${need.wanted}`);
  return sha256(JSON.stringify(wanted.toSorted()));
}
