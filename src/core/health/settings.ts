import { integer, optional } from '#core/config/config.ts';

export const HEALTH_SETTINGS = {
  metrics_token: optional('CAPSTAN_METRICS_TOKEN', {
    description: 'Bearer token required for /metrics. When unset, /metrics is served to loopback clients only.',
    secret: true,
  }),
  metrics_port: integer('CAPSTAN_METRICS_PORT', 0, 0, 65_535, {
    description:
      'Separate port for /metrics, /healthz and /readyz, in addition to PORT; `work` uses only this one. 0 ' +
      'disables it.',
  }),
} as const;
