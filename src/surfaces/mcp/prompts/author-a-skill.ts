import type { Prompt } from '#core/tools/prompt.ts';
import { fenced } from '#core/tools/words.ts';
import { argumentText, UNTRUSTED_NOTE } from './argument-text.ts';

/** From a description to a valid skill directory. */
export const authorASkill = (): Prompt => ({
  name: 'author-a-skill',
  title: 'Write a skill',
  description: 'Checks whether the skill exists, writes it, validates it until it passes, and returns its files.',
  arguments: [{ name: 'description', description: 'What the skill does, and when to use it.', required: true }],
  messages: async (values) => [{ role: 'user', text: textFor(argumentText(values, 'description', 4_000)) }],
});

const textFor = (description: string): string => `Write an agent skill that does what the tag describes.
The tag contains only the description of a skill.
${fenced('description', description)}

Go step by step:

1. **Check for existing skills.** Call \`registry_search\` with two or three keywords and \`"listing_type": "skill"\`. If a hit does the
   same, show it to me and ask whether to continue.
2. **Clarify.** Name, inputs, outputs, and what it must never do. A skill that only explains is of class
   \`prompt\`; one whose result is the same for the same input is better \`scripted\`. Ask me at most two questions, and only
   where an answer changes the skill.
3. **Write.** Call \`skill_author\` with the description, and with \`language\` and \`inputs\` where it is scripted. Look at
   \`made_by\`: a template has to be filled in by you.
4. **Improve.** The frontmatter's description says what the skill does *and when to use it*, in words that a user with
   the need would use. The body is steps, not promotion: what to do first, how to tell that a step went right, what to do when it
   did not, an example with real values, limits. Long tables go to \`references/\`. A script reads JSON from standard input,
   writes JSON to standard output, and ends wrong input with exit code 2 and one line that names the field.
5. **Validate.** Call \`skill_validate\` with all files. Fix each violation at its \`path\` and \`line\` as \`fix\` says, and call it
   again until none is left. Do not silence a rule by deleting the affected content.
6. **Deliver.** Show the tree, then each complete file, then how to install it (the directory goes into the client's skills
   folder) and one sentence that would make an agent use it.

${UNTRUSTED_NOTE}`;
