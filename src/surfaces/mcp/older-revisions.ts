import type { TObject } from 'typebox';
import { compileSchema, type Validate } from '#core/http/validate.ts';
import { Type } from '#core/json-schema/type.ts';
import { Refusal, RPC, type RpcMessage } from './rpc.ts';
import type { Sdk } from './sdk.ts';

/** Validation of messages before 2026-07-28 that the library lacks. */

/** 400 for an unsupported version; without the header, any older one is assumed. */
export function refuseVersion(version: string | undefined, supported: readonly string[], { id }: RpcMessage): void {
  if (version === undefined || supported.includes(version)) return;
  const message = `Unsupported MCP-Protocol-Version. Supported: ${supported.join(', ')}.`;
  throw new Refusal(400, RPC.unsupported_version, message, id ?? null, { supported, requested: version });
}

const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const check = (schema: TObject): Validate => compileSchema(schema);

/** Methods whose params the library parses itself. */
const CHECKS: Record<string, Validate> = {
  initialize: check(
    Type.Object({
      protocolVersion: Type.String(),
      capabilities: Type.Object({}),
      clientInfo: Type.Object({ name: Type.String(), version: Type.String() }),
    }),
  ),
  'tools/call': check(
    Type.Object({
      name: Type.String(),
      arguments: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
    }),
  ),
  'logging/setLevel': check(Type.Object({ level: Type.Enum(LEVELS) })),
};

export function refuseParams(sdk: Sdk, { method = '', params = {}, id }: RpcMessage): void {
  const errors = Object.hasOwn(CHECKS, method) ? (CHECKS[method] as Validate)(params) : [];
  const named = errors.map(({ pointer, detail }) => `${pointer.slice(1) || 'params'} ${detail}`);
  // Capabilities have many parts, and the library reports an invalid one as an internal failure.
  if (named.length === 0 && method === 'initialize') named.push(...misfitsOf(sdk, params));
  if (named.length === 0) return;
  throw new Refusal(200, RPC.invalid_params, `Invalid params for ${method}: ${named.join('; ')}`, id ?? null);
}

function misfitsOf({ specTypeSchemas }: Sdk, params: object): string[] {
  const { issues = [] } = specTypeSchemas.InitializeRequestParams['~standard'].validate(params);
  return issues.map(({ message, path = [] }) => `${path.map(String).join('/') || 'params'}: ${message}`).slice(0, 10);
}

/** Returns whether the client of an `initialize` can be asked something during a call. */
export function canBeAsked({ params }: RpcMessage): boolean {
  const { elicitation, sampling } = (params?.capabilities ?? {}) as Record<string, unknown>;
  return [elicitation, sampling].some((value) => typeof value === 'object' && value !== null);
}
