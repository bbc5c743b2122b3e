import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import type { Sandbox } from '../src/features/execution/sandbox/sandbox.ts';
import { DEFAULT_LIMITS } from '../src/features/execution/sandbox/sandbox.ts';
import type { Skill } from '../src/features/skills/skill.ts';
import type { SkillCheck } from './skill-checks.ts';

/** All checks of a skill at the price of few starts: an interpreter takes longer to start than a check to run. */

interface Shown {
  exit_code: number;
  stdout: string;
  stderr: string;
}

/** One start of Python in the sandbox; each check is run as a program of its own in it. */
const PYTHON = `
import contextlib, io, json, sys
sys.argv = ["/workspace/skill/ENTRY"]
program, shown = compile(open("ENTRY").read(), "ENTRY", "exec"), []
for check in json.load(open("/workspace/input/input.json")):
    given = io.BytesIO(json.dumps(check).encode())
    sys.stdin, out, err = (io.TextIOWrapper(it, encoding="utf-8") for it in (given, io.BytesIO(), io.BytesIO()))
    code = 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            exec(program, {"__name__": "__main__", "__file__": "/workspace/skill/ENTRY", "open": open})
        except SystemExit as end:
            code = end.code if isinstance(end.code, int) else 0 if end.code is None else 1
    for it in (out, err):
        it.flush()
    said, told = (it.buffer.getvalue().decode() for it in (out, err))
    shown.append({"exit_code": code, "stdout": said, "stderr": told})
print(json.dumps(shown))
`;

export async function runPython(sandbox: Sandbox, skill: Skill, checks: readonly SkillCheck[]): Promise<Shown[]> {
  const entry = skill.entry?.path as string;
  const driver = 'every-check.py';
  const files = new Map([...skill.contents, [driver, Buffer.from(PYTHON.replaceAll('ENTRY', entry))]]);
  const stdin = JSON.stringify(checks.map(({ input }) => input));
  const ran = await sandbox.run({ language: 'python', files, entry: driver, stdin, limits: DEFAULT_LIMITS });
  if (ran.status !== 'completed') throw new Error(`${skill.name}: ${ran.status} ${ran.stderr}`);
  return JSON.parse(ran.stdout) as Shown[];
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
