import { type OpenApiInput, openApiDocument, renderOpenApi } from '#core/http/openapi.ts';
import type { OperationBase } from '#core/http/operation.ts';
import type { ProblemKind } from '#core/problem/problem.ts';
import { SERVICE } from '#core/service.ts';
import { CHAPTERS } from './chapters.ts';
import { type ErrorPages, notesOf } from './error-pages.ts';
import { NAMED_SCHEMAS } from './named-schemas.ts';

/** The contract as the text of `openapi.yaml` and GET /api/schema. */

export interface ContractSource {
  operations: readonly OperationBase[];
  contract_version: string;
  problems: Record<string, ProblemKind>;
  pages: ErrorPages;
  /** Null: relative to the document. */
  public_url: string | null;
}

export const renderContract = (source: ContractSource): string => renderOpenApi(inputOf(source));

/** The contract as data. */
export const describeContract = (source: ContractSource) => openApiDocument(inputOf(source));

const inputOf = ({ operations, contract_version, problems, pages, public_url }: ContractSource): OpenApiInput => ({
  operations,
  info: { title: SERVICE.title, version: contract_version, description: SERVICE.description },
  server_url: public_url ?? '/',
  tags: CHAPTERS,
  problems: notesOf(problems, pages),
  schemas: NAMED_SCHEMAS,
});
