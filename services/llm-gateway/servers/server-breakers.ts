import { type BreakerState, type CircuitBreaker, circuitBreaker } from './circuit-breaker.ts';

export type ServerBreakers = ReturnType<typeof serverBreakers>;

/** The circuit breakers of a server: one for the server, one for each model on it. `attempt` identifies an attempt in both. */
export function serverBreakers(now: () => number) {
  const ofServer = circuitBreaker();
  const byModel = new Map<string, CircuitBreaker>();
  const of = (model: string): CircuitBreaker => byModel.get(model) ?? byModel.set(model, circuitBreaker()).get(model)!;
  const both = (model: string): readonly CircuitBreaker[] => [ofServer, of(model)];

  return {
    allows(model: string): boolean {
      const at = now();
      return ofServer.allows(at) && of(model).allows(at);
    },
    attempted: (model: string, attempt: object): void => both(model).forEach((breaker) => breaker.attempted(now(), attempt)),
    succeeded: (model: string, attempt: object): void => both(model).forEach((breaker) => breaker.succeeded(now(), attempt)),
    inconclusive: (model: string, attempt: object): void => both(model).forEach((breaker) => breaker.inconclusive(attempt)),
    /** @param openMs opens the breaker at once for this time */
    failed(blamed: 'server' | 'model', model: string, attempt: object, openMs?: number): void {
      (blamed === 'server' ? ofServer : of(model)).failed(now(), openMs, attempt);
      (blamed === 'server' ? of(model) : ofServer).inconclusive(attempt);
    },
    /** Of the server, or of one model on it. */
    stateOf: (model?: string): BreakerState => (model === undefined ? ofServer : of(model)).state(now()),
    /** When the model on this server may be tried again; undefined: now. */
    openUntil(model: string): number | undefined {
      const until = Math.max(...both(model).map((breaker) => breaker.openUntil(now()) ?? 0));
      return until || undefined;
    },
  };
}
