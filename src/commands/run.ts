import { openMigrated } from '../database.ts';
import { promptRunner } from '../features/execution/prompt.ts';
import { runCommand as run } from '../features/execution/run-command.ts';
import { openSandbox } from '../features/execution/sandbox/open-sandbox.ts';
import { skillCapability } from '../features/execution/skill-capability.ts';
import { findSkill } from '../features/skills/find-skill.ts';
import { loadSkills, SKILLS_DIR } from '../features/skills/load-skills.ts';
import { openTracing } from '../features/traces/open-tracing.ts';
import { listSpans } from '../features/traces/spans.ts';
import { openModels } from '../platform/llm/models.ts';
import { createLog } from '../platform/log.ts';
import { readProgramConfig } from '../settings.ts';
import type { Command } from './command.ts';
import { nextSignal } from './signals.ts';

export const runCommand: Command = {
  summary: 'run a first-party skill, in the sandbox or by a language model, and print its trace',
  run: async (argv) => {
    const config = readProgramConfig(process.env);
    const { database } = await openMigrated(config);
    const log = createLog(config.server.log_level === 'info' ? 'warn' : config.server.log_level);
    const tracing = openTracing({ db: database.db, log, config: config.traces });
    const sandbox = openSandbox(config.execution);
    const models = openModels(config.llm);
    const deps = { sandbox, prompt: promptRunner({ models, sandbox }) };
    const interrupted = new AbortController();
    nextSignal().then((signal) => interrupted.abort(signal));
    try {
      const shelf = await loadSkills(SKILLS_DIR);
      return await run(argv, process, {
        findSkill: (name) => findSkill(shelf, name),
        capabilityOf: (skill) => skillCapability({ kind: 'skill', ref: skill.name }, skill, deps),
        sandbox,
        tracing,
        listSpans: (trace_id) => listSpans(database.db, trace_id),
        signal: interrupted.signal,
      });
    } finally {
      await sandbox.close();
      await models.close();
      await tracing.close();
      await database.close();
    }
  },
};
