/** Examples of traces for the documentation. */
export const TRACE_EXAMPLE = {
  trace_id: '4bf92f3577b34da6a3ce929d0e0e4736',
  spans: [
    {
      span_id: '00f067aa0ba902b7',
      parent_span_id: null,
      name: 'tools/call tide_at',
      kind: 'client' as const,
      started_at: '2026-04-14T09:30:00.000Z',
      duration_ms: 84.25,
      status: 'unset' as const,
      attributes: {
        'gen_ai.tool.name': 'tide_at',
        'gen_ai.tool.call.arguments': '{"harbour":"Bremerhaven"}',
        'mcp.protocol.version': '2026-07-28',
      },
      events: [],
    },
  ],
};
