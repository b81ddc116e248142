import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Caller, newCaller } from '../engine/caller.ts';
import { rfc3339 } from '../engine/clock.ts';
import { Gone } from '../errors.ts';
import type { Fault } from '../faults.ts';
import type { World } from '../world.ts';

/** One request and its answer in the making. */
export interface Exchange {
  readonly world: World;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly path: string;
  /** On the clock. */
  readonly startedAt: number;
  readonly caller: Caller;
  fault: Fault | undefined;
  /** The body of the request. */
  text: string;
  /** Tells a stream that has begun what went wrong. */
  failStream: ((error: Error) => Promise<void>) | undefined;
  /** We cut the connection ourselves: no close of the client. */
  cut: boolean;
}

const SKEW_MS = -3_600_000;

export const openExchange = (world: World, request: IncomingMessage, response: ServerResponse, path: string): Exchange => {
  const exchange: Exchange = {
    world,
    request,
    response,
    path,
    startedAt: world.machine.clock.now(),
    caller: newCaller(),
    fault: undefined,
    text: '',
    failStream: undefined,
    cut: false,
  };
  const { caller } = exchange;
  const { tally } = world;
  world.callers.add(caller);
  response.once('close', () => {
    world.callers.delete(caller);
    if (response.writableFinished) return;
    if (!exchange.cut) tally.closes[caller.stage]++;
    caller.abort(new Gone());
  });
  response.once('finish', () => {
    tally.byStatus[response.statusCode] = (tally.byStatus[response.statusCode] ?? 0) + 1;
  });
  return exchange;
};

/** `created_at`, by the server's clock, which a fault may have put wrong. */
export const createdAt = ({ world, fault }: Exchange): string => {
  const skewMs = fault?.name === 'clock-skew' ? (fault.ms ?? SKEW_MS) : 0;
  return rfc3339(world.machine.clock.wall() + BigInt(Math.round(skewMs)) * 1_000_000n);
};
