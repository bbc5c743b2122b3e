/**
 * Names from OpenTelemetry's semantic conventions for generative AI. They are in development, so the version is pinned
 * and each name is defined once, here. `gen_ai.skill.*` follows the drafts for agent skills; `capstan.*` is ours.
 */
const SEMCONV_VERSION = '1.41.0';
export const SCHEMA_URL = `https://opentelemetry.io/schemas/${SEMCONV_VERSION}`;

/** Span names: an operation and its object. */
export const chat = (model: string): string => `chat ${model}`;
export const executeTool = (tool: string): string => `execute_tool ${tool}`;
export const loadSkill = (skill: string): string => `load_skill ${skill}`;
export const runScript = (path: string): string => `run_script ${path}`;
export const invokeAgent = (agent: string): string => `invoke_agent ${agent}`;
export const plan = (planner: string): string => `plan ${planner}`;
/** A call of an MCP tool. No other span wraps it. */
export const toolsCall = (tool: string): string => `tools/call ${tool}`;

export const ATTR = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  request_model: 'gen_ai.request.model',
  request_max_tokens: 'gen_ai.request.max_tokens',
  response_id: 'gen_ai.response.id',
  response_model: 'gen_ai.response.model',
  finish_reasons: 'gen_ai.response.finish_reasons',
  input_tokens: 'gen_ai.usage.input_tokens',
  output_tokens: 'gen_ai.usage.output_tokens',
  cached_input_tokens: 'gen_ai.usage.cache_read.input_tokens',
  reasoning_tokens: 'gen_ai.usage.reasoning.output_tokens',
  output_messages: 'gen_ai.output.messages',
  tool_name: 'gen_ai.tool.name',
  tool_call_id: 'gen_ai.tool.call.id',
  tool_type: 'gen_ai.tool.type',
  tool_arguments: 'gen_ai.tool.call.arguments',
  tool_result: 'gen_ai.tool.call.result',
  conversation: 'gen_ai.conversation.id',
  skill_name: 'gen_ai.skill.name',
  skill_version: 'gen_ai.skill.version',
  skill_digest: 'capstan.skill.digest',
  agent_name: 'gen_ai.agent.name',
  agent_version: 'gen_ai.agent.version',
  rig_lock: 'capstan.rig.lock',
  harness_digest: 'capstan.harness.digest',
  plan_steps: 'capstan.plan.steps',
  mcp_method: 'mcp.method.name',
  mcp_protocol: 'mcp.protocol.version',
  mcp_transport: 'capstan.mcp.transport',
  /** Tools whose definition breaks the protocol: their number, and names with reasons. */
  mcp_left_out: 'capstan.mcp.tools.left_out',
  mcp_left_out_names: 'capstan.mcp.tools.left_out_names',
  /** Questions of the server to a person, with their outcome, as JSON. */
  mcp_questions: 'capstan.mcp.questions',
  server_address: 'server.address',
  error_type: 'error.type',
  exit_code: 'process.exit.code',
  run_status: 'capstan.run.status',
  package_purl: 'capstan.package.purl',
  package_lock: 'capstan.package.lock',
  package_tree: 'capstan.package.tree',
  package_hosts: 'capstan.package.hosts',
  package_cpu_ms: 'capstan.package.cpu_ms',
  package_memory_bytes: 'capstan.package.memory_bytes',
  isolation: 'capstan.sandbox.isolation',
  engine: 'capstan.sandbox.engine',
  language: 'capstan.sandbox.language',
  timeout_ms: 'capstan.sandbox.timeout_ms',
  memory_mb: 'capstan.sandbox.memory_mb',
  output_bytes: 'capstan.sandbox.output_bytes',
  engine_error: 'capstan.sandbox.engine_error',
  receipt_id: 'capstan.receipt.id',
  owner: 'capstan.owner',
  /** Long texts were truncated because the `span`, its `trace` or the `account` exceeded its limit. */
  truncated: 'capstan.truncated',
} as const;

/** Content and owner of a run: stored in our own table for the owner, never exported. */
export const CONTENT: readonly string[] = [
  ATTR.output_messages,
  ATTR.tool_arguments,
  ATTR.tool_result,
  ATTR.mcp_questions,
  ATTR.owner,
];
