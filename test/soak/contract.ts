import { readFile } from 'node:fs/promises';
import { redocly, spectral } from '../contract-linters.ts';

/** `npm run soak -- contract`: what the recommended rules of Redocly and Spectral find in openapi.yaml. */
const CONTRACT = new URL('../../openapi.yaml', import.meta.url);
const source = await readFile(CONTRACT, 'utf8');
const found = [...(await redocly(source, CONTRACT)), ...(await spectral(source))];
process.stdout.write(found.length === 0 ? 'Redocly and Spectral find nothing.\n' : `${found.join('\n')}\n`);
process.exit(found.length === 0 ? 0 : 1);
