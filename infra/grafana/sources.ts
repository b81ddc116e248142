/** The sources of data, by the names that infra/grafana/provisioning/datasources gives them. */
export const PROMETHEUS = { type: 'prometheus', uid: 'prometheus' } as const;
export const LOKI = { type: 'loki', uid: 'loki' } as const;
export const TEMPO = { type: 'tempo', uid: 'tempo' } as const;
