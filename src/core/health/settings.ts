import { integer, optional } from '#core/config/config.ts';

export const HEALTH_SETTINGS = {
  metrics_token: optional('CAPSTAN_METRICS_TOKEN', {
    description:
      'Whoever asks for /metrics must send it as a bearer token. Without one only this machine itself is answered.',
    secret: true,
  }),
  metrics_port: integer('CAPSTAN_METRICS_PORT', 0, 0, 65_535, {
    description:
      'A port of its own for /metrics, /healthz and /readyz, beside PORT; for `work` it is the only one. 0 opens none.',
  }),
} as const;
