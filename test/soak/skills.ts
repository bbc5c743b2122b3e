import { startTracing } from '#core/traces/tracing.ts';
import { embeddedSandbox, findBwrap } from '#runtime/sandbox/embedded.ts';
import { loadSkills, SKILLS_DIR } from '#runtime/skills/load-skills.ts';
import { skillRunner } from '../run-skill.ts';
import { readChecks, unmet } from '../skill-checks.ts';

/** `npm run soak -- skills`: every check of every first-party skill, each in a separate sandbox, at every level. */
const { skills } = await loadSkills(SKILLS_DIR);
const tracing = startTracing({ save: async () => {}, on_error: () => {} });
const bwrap = findBwrap();
for (const sandbox of [embeddedSandbox(), ...(bwrap === null ? [] : [embeddedSandbox({ bwrap })])]) {
  const run = skillRunner({ sandbox, tracing });
  let held = 0;
  for (const skill of skills.filter(({ execution_class }) => execution_class === 'scripted'))
    for (const check of readChecks(skill)) {
      const result = await run(skill, check.input);
      const missing = unmet(check, { ...result, exit_code: result.exit_code ?? -1 });
      if (missing.length === 0) held++;
      else process.exitCode = 1;
      for (const line of missing) process.stdout.write(`${skill.name}, ${check.name}: ${line}\n`);
    }
  process.stdout.write(`${sandbox.isolation}: ${held} checks hold\n`);
  await sandbox.close();
}
await tracing.close();
