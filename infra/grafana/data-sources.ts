/** The data sources of infra/grafana/provisioning/datasources. */
export const PROMETHEUS = { type: 'prometheus', uid: 'prometheus' } as const;
export const LOKI = { type: 'loki', uid: 'loki' } as const;
export const TEMPO = { type: 'tempo', uid: 'tempo' } as const;
