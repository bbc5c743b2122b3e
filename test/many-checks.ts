import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { OWN_SHARE } from '#core/fair-queue/share.ts';
import type { Sandbox } from '#runtime/sandbox/sandbox.ts';
import { DEFAULT_LIMITS } from '#runtime/sandbox/sandbox.ts';
import type { Skill } from '#runtime/skills/skill.ts';
import type { SkillCheck } from './skill-checks.ts';

/** All checks of a skill at the price of few starts: an interpreter takes longer to start than a check to run. */

interface Shown {
  exit_code: number;
  stdout: string;
  stderr: string;
}

/** One start of Python in the sandbox; each check runs as a separate program in it. */
const PYTHON = `
import contextlib, io, json, sys
all_shown = []
for path, inputs in json.load(open("/workspace/input/input.json")):
    sys.argv = ["/workspace/skill/" + path]
    program, shown = compile(open(path).read(), path, "exec"), []
    for given in (io.BytesIO(json.dumps(it).encode()) for it in inputs):
        sys.stdin, out, err = (io.TextIOWrapper(it, encoding="utf-8") for it in (given, io.BytesIO(), io.BytesIO()))
        code = 0
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                exec(program, {"__name__": "__main__", "__file__": sys.argv[0], "open": open})
            except SystemExit as end:
                code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
        for it in (out, err):
            it.flush()
        said, told = (it.buffer.getvalue().decode() for it in (out, err))
        shown.append({"exit_code": code, "stdout": said, "stderr": told})
    all_shown.append(shown)
print(json.dumps(all_shown))
`;

interface Checked {
  skill: Skill;
  checks: readonly SkillCheck[];
}

/** What each check showed, by skill. */
export async function runPython(sandbox: Sandbox, all: readonly Checked[]): Promise<Shown[][]> {
  const driver = 'every-check.py';
  const files = new Map<string, Uint8Array>([[driver, Buffer.from(PYTHON)]]);
  for (const [at, { skill }] of all.entries())
    for (const [path, bytes] of skill.contents) files.set(`${at}/${path}`, bytes);
  const orders = all.map(({ skill, checks }, at) => [`${at}/${skill.entry?.path}`, checks.map(({ input }) => input)]);
  const limits = { ...DEFAULT_LIMITS, output_bytes: DEFAULT_LIMITS.output_bytes * all.length };
  const ran = await sandbox.run({
    share: OWN_SHARE,
    language: 'python',
    files,
    entry: driver,
    stdin: JSON.stringify(orders),
    limits,
  });
  if (ran.status !== 'completed') throw new Error(`${ran.status} ${ran.stderr}`);
  return JSON.parse(ran.stdout) as Shown[][];
}

/** One bash, which starts the script once for each check, as scripts do with a list of inputs. */
const BASH = `entry=$(cat entry)
while IFS= read -r input; do
  printf '%s' "$input" | bash "$entry" >out 2>err
  jq -c -n --argjson exit_code $? --rawfile stdout out --rawfile stderr err '{exit_code: $exit_code, stdout: $stdout, stderr: $stderr}'
done`;

/** What each check of a skill showed. */
export async function runBash(sandbox: Sandbox, { skill, checks }: Checked): Promise<Shown[]> {
  const driver = 'every-check.sh';
  const files = new Map<string, Uint8Array>([
    [driver, Buffer.from(BASH)],
    ['entry', Buffer.from(skill.entry?.path ?? '')],
    ...skill.contents,
  ]);
  const limits = { ...DEFAULT_LIMITS, output_bytes: DEFAULT_LIMITS.output_bytes * checks.length };
  const stdin = checks.map(({ input }) => `${JSON.stringify(input)}\n`).join('');
  const ran = await sandbox.run({ share: OWN_SHARE, language: 'bash', files, entry: driver, stdin, limits });
  if (ran.status !== 'completed') throw new Error(`${ran.status} ${ran.stderr}`);
  return ran.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Shown);
}

/** Under Node itself, which every JavaScript skill says it runs on. */
export async function runNode(file: string, { input }: SkillCheck): Promise<Shown> {
  const child = spawn(process.execPath, [file], { stdio: ['pipe', 'pipe', 'pipe'], env: {} });
  child.stdin.on('error', () => {});
  child.stdin.end(JSON.stringify(input));
  const ended = new Promise<number>((resolve) => child.once('close', (code) => resolve(code ?? -1)));
  const [stdout, stderr, exit_code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { stdout, stderr, exit_code };
}
