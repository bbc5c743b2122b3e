import { readdir, rm, writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { renderEnvExample, renderReference } from '#core/config/config.ts';
import { renderContract } from '#surfaces/docs/describe-contract.ts';
import { errorIndex, errorPage } from '#surfaces/docs/error-pages.ts';
import { CONTRACT_VERSION, OPERATIONS } from '../contract.ts';
import { ERRORS } from '../problems.ts';
import { SETTINGS } from '../settings.ts';
import type { Command } from './command.ts';

const ROOT = new URL('../../../', import.meta.url);

export const schemaCommand: Command = {
  summary: 'print the OpenAPI document; --write regenerates all generated files',
  usage: 'schema [--write]',
  run: async (argv) => {
    const { values } = parseArgs({ args: argv, options: { write: { type: 'boolean', default: false } } });
    const document = renderContract({
      operations: OPERATIONS,
      contract_version: CONTRACT_VERSION,
      errors: ERRORS,
      public_url: null,
    });
    if (!values.write) {
      process.stdout.write(document);
      return 0;
    }
    // The SDK generator, which uses only the document and nothing else of this program.
    const { generateSdk } = await import('../../../sdk/generate/generate.ts');
    for (const [file, text] of Object.entries({ ...GENERATED, 'openapi.yaml': document, ...generateSdk(document) })) {
      await writeFile(new URL(file, ROOT), text);
      process.stderr.write(`${file}\n`);
    }
    await writeErrorPages();
    return 0;
  },
};

/** A page of a code that is no longer in a table is removed. */
async function writeErrorPages(): Promise<void> {
  const dir = new URL('docs/errors/', ROOT);
  const pages = errorPages();
  for (const file of await readdir(dir)) if (!Object.hasOwn(pages, file)) await rm(new URL(file, dir));
  for (const [file, text] of Object.entries(pages)) await writeFile(new URL(file, dir), text);
  process.stderr.write('docs/errors\n');
}

/** By name in `docs/errors`. */
export const errorPages = (): Record<string, string> => ({
  'README.md': errorIndex(ERRORS),
  ...Object.fromEntries(Object.entries(ERRORS).map(([code, entry]) => [`${code}.md`, errorPage(code, entry)])),
});

const GENERATED = {
  '.env.example': renderEnvExample(SETTINGS),
  'docs/guides/configuration.md': `# Configuration

All settings have defaults; \`npm start\` works without any. Environment variables override the file named by
\`CAPSTAN_CONFIG_FILE\` (\`NAME=value\` lines), which overrides the defaults. Unknown \`CAPSTAN_\` names and invalid lines in
the file are rejected. To read a secret from a file, set \`<NAME>_FILE\` to its path instead of \`<NAME>\`; setting both is
an error.

${renderReference(SETTINGS)}`,
};
