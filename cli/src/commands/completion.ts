import type { Command } from 'commander';
import { usage } from '../failure.ts';
import type { World } from '../world.ts';

/** Completion by the program's own tree of commands: what a shell asks for is answered by `capstan complete`. */
export function addCompletion(program: Command, world: World): void {
  program
    .command('completion')
    .summary('completion for your shell')
    .description('Print what completes capstan in your shell: `eval "$(capstan completion bash)"`.')
    .argument('<shell>', 'bash, zsh or fish')
    .action((shell: string) => {
      const script = SCRIPTS[shell];
      if (script === undefined)
        throw usage(`${shell} is not known here.`, `It is one of ${Object.keys(SCRIPTS).join(', ')}.`);
      world.stdout.write(script);
    });
  program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[]) => {
      world.stdout.write(`${candidates(program, words).join('\n')}\n`);
    });
}

/** What may stand in the place of the last word. */
export function candidates(program: Command, words: readonly string[]): string[] {
  const before = words.slice(0, -1);
  const last = words.at(-1) ?? '';
  let at = program;
  for (const word of before) at = at.commands.find((it) => it.name() === word) ?? at;
  const names = at.commands.filter((it) => !HIDDEN.has(it.name())).map((it) => it.name());
  const flags = [...at.options, ...(at === program ? [] : program.options)].flatMap(({ long }) =>
    long == null ? [] : [long],
  );
  const all = last.startsWith('-') ? [...flags, '--help'] : names;
  return [...new Set(all)].filter((it) => it.startsWith(last));
}

const HIDDEN = new Set(['complete', 'help']);

const SCRIPTS: Record<string, string> = {
  bash: `_capstan() { mapfile -t COMPREPLY < <(capstan complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); }
complete -o default -F _capstan capstan
`,
  zsh: `#compdef capstan
_capstan() { local -a found; found=("\${(@f)$(capstan complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)}"); compadd -a found; }
compdef _capstan capstan
`,
  fish: `complete -c capstan -f -a '(capstan complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)'
`,
};
