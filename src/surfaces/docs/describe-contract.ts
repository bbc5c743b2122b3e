import { type OpenApiInput, openApiDocumentInTurns, renderOpenApi } from '#core/http/openapi.ts';
import type { OperationBase } from '#core/http/operation.ts';
import type { ErrorTable } from '#core/problem/error-table.ts';
import { SERVICE } from '#core/service.ts';
import { CHAPTERS } from './chapters.ts';
import { notesOf } from './error-pages.ts';
import { NAMED_SCHEMAS } from './named-schemas.ts';

/** The contract as the text of `openapi.yaml`, which GET /api/schema sends, and as data. */

export interface ContractSource {
  operations: readonly OperationBase[];
  contract_version: string;
  errors: ErrorTable;
  /** Null: relative to the document. */
  public_url: string | null;
}

export const renderContract = (source: ContractSource): string => renderOpenApi(inputOf(source));

/** The contract as data, described in many turns of the event loop. */
export const describeContract = (source: ContractSource) => openApiDocumentInTurns(inputOf(source));

/** `openapi.yaml` with the address of this service. */
export const atServer = (yaml: string, publicUrl: string | null): string =>
  publicUrl === null ? yaml : yaml.replace(/^servers: .*$/m, () => `servers: [{url: ${JSON.stringify(publicUrl)}}]`);

const inputOf = ({ operations, contract_version, errors, public_url }: ContractSource): OpenApiInput => ({
  operations,
  info: { title: SERVICE.title, version: contract_version, description: SERVICE.description },
  server_url: public_url ?? '/',
  tags: CHAPTERS,
  problems: notesOf(errors),
  schemas: NAMED_SCHEMAS,
});
