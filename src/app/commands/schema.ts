import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { renderEnvExample, renderReference } from '#core/config/config.ts';
import { renderContract } from '#surfaces/docs/describe-contract.ts';
import { loadErrorPages } from '#surfaces/docs/error-pages.ts';
import { CONTRACT_VERSION, OPERATIONS } from '../contract.ts';
import { PROBLEMS } from '../problems.ts';
import { SETTINGS } from '../settings.ts';
import type { Command } from './command.ts';

const ROOT = new URL('../../../', import.meta.url);

export const schemaCommand: Command = {
  summary: 'print the OpenAPI document; --write renews every file that is made from the contract or the settings',
  usage: 'schema [--write]',
  run: async (argv) => {
    const { values } = parseArgs({ args: argv, options: { write: { type: 'boolean', default: false } } });
    const document = renderContract({
      operations: OPERATIONS,
      contract_version: CONTRACT_VERSION,
      problems: PROBLEMS,
      pages: await loadErrorPages(),
      public_url: null,
    });
    if (!values.write) {
      process.stdout.write(document);
      return 0;
    }
    // Of the client's own side, which sees the document and nothing else of this program.
    const { generateSdk } = await import('../../../sdk/generate/generate.ts');
    for (const [file, text] of Object.entries({ ...GENERATED, 'openapi.yaml': document, ...generateSdk(document) })) {
      await writeFile(new URL(file, ROOT), text);
      process.stderr.write(`${file}\n`);
    }
    return 0;
  },
};

const GENERATED = {
  '.env.example': renderEnvExample(SETTINGS),
  'docs/guides/configuration.md': `# Configuration

Everything has a default; \`npm start\` needs nothing. The environment comes before the file that
\`CAPSTAN_CONFIG_FILE\` names (\`NAME=value\` lines), the file before the default. A name that begins with \`CAPSTAN_\` and
is no setting is refused. A secret may stand in a file of its own: \`<NAME>_FILE\` is its path. Both at once are refused,
and so is a line of the file that sets nothing.

${renderReference(SETTINGS)}`,
};
