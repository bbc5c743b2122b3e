import type { Command, Option } from 'commander';
import { localCommand, type Part } from '../command.ts';

/** Completion from the tree of commands: shells call `capstan complete`. */

const SCRIPTS = {
  bash: `_capstan() { mapfile -t COMPREPLY < <(capstan complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null); }
complete -o default -F _capstan capstan
`,
  zsh: `#compdef capstan
_capstan() {
  local -a found
  found=(\${(f)"$(capstan complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)"})
  if (( $#found )); then compadd -a found; else _files; fi
}
(( $+functions[compdef] )) || { autoload -Uz compinit && compinit; }
compdef _capstan capstan
`,
  fish: `function _capstan
  set -l found (capstan complete -- (commandline -opc)[2..] (commandline -ct) 2>/dev/null)
  if test (count $found) -gt 0; printf '%s\\n' $found; else; __fish_complete_path (commandline -ct); end
end
complete -c capstan -f -a '(_capstan)'
`,
};

const printed = localCommand('completion <shell>', {
  summary: 'generate shell completion',
  about: 'Print the completion script: `eval "$(capstan completion bash)"`, or `| source` in fish.',
  args: { shell: { about: 'shell', choices: Object.keys(SCRIPTS) } },
  async call({ world }, { shell }) {
    world.stdout.write(SCRIPTS[shell as keyof typeof SCRIPTS]);
  },
});

const asked: Part = (program, world) =>
  void program
    .command('complete', { hidden: true })
    .argument('[words...]')
    .allowUnknownOption()
    .helpOption(false)
    .action((words: string[]) => {
      // Nothing: the shell then offers files.
      for (const candidate of candidates(program, words)) world.stdout.write(`${candidate}\n`);
    });

export const completion = [printed, asked];

/** Candidates for the last word. */
function candidates(program: Command, words: readonly string[]): string[] {
  const last = words.at(-1) ?? '';
  const { at, args, option } = walk(program, words.slice(0, -1));
  const all = option?.argChoices ?? (option === null ? wordsAt(program, at, args, last) : []);
  return [...new Set(all)].filter((argChoice) => argChoice.startsWith(last));
}

/** The command of the words, how many of its arguments are present, and the option whose value comes next. */
function walk(program: Command, words: readonly string[]): { at: Command; args: number; option: Option | null } {
  let [at, args, option]: [Command, number, Option | null] = [program, 0, null];
  for (const word of words) {
    const next = at.commands.find((command) => command.name() === word);
    if (option !== null) option = null;
    else if (word.startsWith('-'))
      option =
        optionsOf(program, at).find((option) => (option.required && option.long === word) || option.short === word) ??
        null;
    else if (next !== undefined) at = next;
    else args++;
  }
  return { at, args, option };
}

function wordsAt(program: Command, at: Command, args: number, last: string): string[] {
  if (last.startsWith('-')) return [...optionsOf(program, at).flatMap(({ long }) => long ?? []), '--help'];
  const names = at.commands.map((command) => command.name()).filter((text) => text !== 'complete');
  return [...names, ...(at.registeredArguments[args]?.argChoices ?? [])];
}

const optionsOf = (program: Command, at: Command): readonly Option[] =>
  at === program ? at.options : [...at.options, ...program.options];
