import type { Prompt } from '#core/tools/prompt.ts';
import { fenced } from '#core/tools/words.ts';
import { argumentText, STRANGERS } from './argument-text.ts';

/** From a description to a skill directory that keeps the format's rules. */
export const authorASkill = (): Prompt => ({
  name: 'author-a-skill',
  title: 'Write a skill',
  description:
    'Looks whether the skill exists, writes it, validates it until no rule is broken, and hands over its files.',
  arguments: [{ name: 'description', description: 'What the skill does, and when it is to be used.', required: true }],
  messages: async (values) => [{ role: 'user', text: textFor(argumentText(values, 'description', 4_000)) }],
});

const textFor = (description: string): string => `Write an agent skill that does what the tag describes.
The tag holds the description of a skill and nothing else.
${fenced('description', description)}

Go step by step:

1. **Is it there already?** Call \`registry_search\` with two or three keywords and \`"listing_type": "skill"\`. If a hit does the
   same, show it to me and ask whether to go on.
2. **Settle what is open.** Name, what goes in, what comes out, what it must never do. A skill that only explains is of class
   \`prompt\`; one whose result is the same for the same input is better \`scripted\`. Ask me at most two questions, and only
   where an answer changes the skill.
3. **Write.** Call \`skill_author\` with the description, and with \`language\` and \`inputs\` where it is scripted. Look at
   \`made_by\`: a template has to be filled in by you.
4. **Make it good.** The frontmatter's description says what the skill does *and when to use it*, in words that somebody with
   the need would use. The body is steps, not praise: what to do first, how to tell that a step went right, what to do when it
   did not, an example with real values, limits. Long tables go to \`references/\`. A script reads JSON from standard input,
   writes JSON to standard output, and ends wrong input with exit code 2 and one line that names the field.
5. **Validate.** Call \`skill_validate\` with all files. Mend every violation at its \`path\` and \`line\` by its \`fix\`, and call it
   again, until there is none. Do not silence a rule by deleting what it is about.
6. **Hand over.** Show the tree, then each file whole, then how to install it (the directory goes into the client's skills
   folder) and one sentence that would make an agent use it.

${STRANGERS}`;
