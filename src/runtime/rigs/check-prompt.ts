import { quoted } from '#catalog/checks/violation.ts';
import { type JsonSchema, placeholdersOf, propertiesOf } from './rig.ts';
import type { RigReader } from './rig-reader.ts';

/** A prompt names only parameters that there are. Pure. */
export function checkPrompt(reader: RigReader, prompt: string, parameters: JsonSchema): void {
  const known = propertiesOf(parameters);
  for (const name of placeholdersOf(prompt))
    if (!Object.hasOwn(known, name))
      reader.fault(
        'prompt-parameter',
        ['spec', 'prompt'],
        `The prompt names ${quoted(name)}, which is not a parameter.`,
      );
}
