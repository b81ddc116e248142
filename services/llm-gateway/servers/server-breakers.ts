import { type BreakerState, type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts';

/** The circuit breakers of a server: one for the server, one for each model on it. */
export interface ServerBreakers {
  allows(model: string): boolean;
  /** @param attempt identifies the attempt in all of these */
  attempted(model: string, attempt: object): void;
  succeeded(model: string, attempt: object): void;
  inconclusive(model: string, attempt: object): void;
  /** @param openMs opens the breaker at once for so long */
  failed(of: 'server' | 'model', model: string, attempt: object, openMs?: number): void;
  /** Of the server, or of one model on it. */
  stateOf(model?: string): BreakerState;
  /** When the model on this server may be tried again; undefined: now. */
  openUntil(model: string): number | undefined;
}

export function serverBreakers(now: () => number): ServerBreakers {
  const ofServer = circuitBreaker();
  const byModel = new Map<string, CircuitBreaker>();
  const of = (model: string): CircuitBreaker => byModel.get(model) ?? byModel.set(model, circuitBreaker()).get(model)!;

  return {
    allows: (model) => ofServer.allows(now()) && of(model).allows(now()),
    attempted(model, attempt) {
      ofServer.attempted(now(), attempt);
      of(model).attempted(now(), attempt);
    },
    succeeded(model, attempt) {
      ofServer.succeeded(now(), attempt);
      of(model).succeeded(now(), attempt);
    },
    inconclusive(model, attempt) {
      ofServer.inconclusive(attempt);
      of(model).inconclusive(attempt);
    },
    failed(blamed, model, attempt, openMs) {
      (blamed === 'server' ? ofServer : of(model)).failed(now(), openMs, attempt);
      (blamed === 'server' ? of(model) : ofServer).inconclusive(attempt);
    },
    stateOf: (model) => (model === undefined ? ofServer : of(model)).state(now()),
    openUntil(model) {
      const until = Math.max(ofServer.openUntil(now()) ?? 0, of(model).openUntil(now()) ?? 0);
      return until || undefined;
    },
  };
}
