import { readFileSync } from 'node:fs';
import { getCACertificates } from 'node:tls';

/**
 * The usual certificate authorities and those of the file; undefined without a file.
 *
 * @throws RangeError for a file that cannot be read or has no certificate.
 */
export function authoritiesWith(file: string | null): string[] | undefined {
  if (file === null) return undefined;
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new RangeError(
      `CAPSTAN_PACKAGE_CA: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'unknown'}).`,
    );
  }
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new RangeError(`CAPSTAN_PACKAGE_CA: ${file} has no certificate in PEM.`);
  return [...getCACertificates('default'), text];
}
