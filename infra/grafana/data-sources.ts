/** The data sources of infra/grafana/provisioning/datasources: those that the variables of the boards begin with. */
export const PROMETHEUS = { type: 'prometheus', uid: 'prometheus' } as const;
export const LOKI = { type: 'loki', uid: 'loki' } as const;
export const TEMPO = { type: 'tempo', uid: 'tempo' } as const;

/** What panels are asked of: the data source that is chosen in the variable of the board. */
export const chosen = ({ type }: { readonly type: string }) => ({ type, uid: `\${${type}}` });
