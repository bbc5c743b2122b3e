import { parseArgs } from 'node:util';
import type { CommandIo } from '#core/command-io.ts';
import { fail, ok } from '#core/doctor/check.ts';
import { cleanerOf } from '#core/doctor/clean.ts';
import { levelOf, reportJson, reportText } from '#core/doctor/report.ts';
import { type CheckResult, runChecks } from '#core/doctor/run-checks.ts';
import { Problem } from '#core/problem/problem.ts';
import { type Config, isProduction, readProgramConfig, SETTINGS } from '../settings.ts';
import type { Command } from './command.ts';
import { gatherChecks, MACHINE_CHECKS } from './doctor-checks.ts';

/** Per check; they run in parallel. */
const TIMEOUT_MS = 5_000;
/** Grace period for what a timed-out check has left open. */
const LEAVE_AFTER_MS = 500;

export const doctorCommand: Command = {
  summary: 'check the installation and report problems with fixes',
  usage: `doctor [--json]

  --json   print the report as JSON
Read-only; the service may be running or stopped. Exit codes: 0 no failures (warnings allowed); 1 failures.`,
  run: async (argv) => {
    const code = await runDoctor(argv, process, process.env);
    setTimeout(() => process.exit(), LEAVE_AFTER_MS).unref();
    return code;
  },
};

export async function runDoctor(
  argv: string[],
  { stdout }: Pick<CommandIo, 'stdout'>,
  env: Record<string, string | undefined>,
): Promise<number> {
  const { values } = parseArgs({ args: argv, options: { json: { type: 'boolean', default: false } } });
  const results = await runAll(env);
  stdout.write(values.json ? reportJson(results) : reportText(results));
  return levelOf(results) === 'fail' ? 1 : 0;
}

async function runAll(env: Record<string, string | undefined>): Promise<CheckResult[]> {
  const config = readSettings(env);
  return config instanceof Problem ? withoutSettings(config) : examine(config, env);
}

/** Runs every check with settings that are valid. */
export async function examine(
  config: Config,
  env: Record<string, string | undefined> = process.env,
): Promise<CheckResult[]> {
  const gathered = await gatherChecks(config, env);
  try {
    const options = { timeout_ms: TIMEOUT_MS, clean: cleanerOf(SETTINGS, config) };
    return await runChecks([settings(config), ...gathered.checks], options);
  } finally {
    // A hanging database would not release its connections either.
    gathered.close().catch(() => {});
  }
}

function readSettings(env: Record<string, string | undefined>): Config | Problem {
  try {
    return readProgramConfig(env);
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const settings = (config: Config) => ({
  name: 'settings',
  run: async () => [ok(`Valid. ${isProduction(config) ? 'Production' : 'Development, local'}.`)],
});

function withoutSettings({ message }: Problem): Promise<CheckResult[]> {
  const refused = {
    name: 'settings',
    run: async () => [
      fail(`${message} Checks that depend on the settings were skipped.`, 'docs/guides/configuration.md'),
    ],
  };
  return runChecks([refused, ...MACHINE_CHECKS], { timeout_ms: TIMEOUT_MS, clean: cleanerOf({}, {}) });
}
