/** Faults of one process; a kind listed several times is that much more frequent. */
export const PROCESS_FAULTS = ['kill', 'kill', 'kill', 'stop', 'end'] as const;
/** Faults of the connections between a service and its servers. */
export const CONNECTION_FAULTS = ['cut', 'cut-all', 'slow', 'half-close', 'stall'] as const;

/** By how much the clock of a machine may be wrong, in milliseconds. */
export const CLOCK_ERRORS_MS = [-3_600_000, -6_000, -700, 700, 6_000, 3_600_000] as const;

/** One fault. `at`: its time since the start of the run; `ms`: its duration; both in milliseconds. */
export type Fault =
  | { readonly kind: (typeof PROCESS_FAULTS)[number]; readonly at: number; readonly ms: number; readonly process: string }
  | { readonly kind: 'clock'; readonly at: number; readonly ms: number; readonly process: string; readonly aheadMs: number }
  | {
      readonly kind: (typeof CONNECTION_FAULTS)[number];
      readonly at: number;
      readonly ms: number;
      readonly proxy: string;
      readonly roll: number;
    }
  | OutageFault;

/** A fault of what every table needs. */
export type OutageFault =
  | { readonly kind: 'broker' | 'database'; readonly at: number; readonly ms: number; readonly how: 'asked' | 'killed' }
  | { readonly kind: 'models' | 'players' | 'disk'; readonly at: number; readonly ms: number };

/** Describes a fault for the log of the run. */
export function faultText(fault: Fault): string {
  const lasts = `${(fault.ms / 1_000).toFixed(1)} s`;
  switch (fault.kind) {
    case 'kill':
      return `${fault.process} is killed`;
    case 'end':
      return `${fault.process} is asked to end`;
    case 'stop':
      return `${fault.process} stands still for ${lasts}`;
    case 'clock':
      return `the clock of ${fault.process} is ${fault.aheadMs} ms ahead for ${lasts}`;
    case 'cut':
      return `a connection of ${fault.proxy} is cut`;
    case 'cut-all':
      return `all connections of ${fault.proxy} are cut, for ${lasts}`;
    case 'slow':
      return `${fault.proxy} is slow for ${lasts}`;
    case 'half-close':
      return `a connection of ${fault.proxy} is half closed for ${lasts}`;
    case 'stall':
      return `a connection of ${fault.proxy} is silent for ${lasts}`;
    case 'broker':
    case 'database':
      return `the ${fault.kind} is ${fault.how === 'killed' ? 'killed' : 'asked to end'}, and started ${lasts} later`;
    case 'models':
      return `all model servers are gone for ${lasts}`;
    case 'players':
      return `all players are cut off for ${lasts}`;
    case 'disk':
      return `the disk of the database is full for ${lasts}`;
  }
}
