import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '@maw/telemetry/log.ts';
import { requestId } from '@maw/bus/request-id.ts';
import { type Ask, Refused } from '@maw/bus/request-client.ts';
import type { SeatedAgent } from '../seats/agent-seat.ts';
import type { ServerTerms } from '@maw/aiwolf/server/server-terms.ts';
import { namesOf } from './names.ts';
import { openingOf } from './set-plan.ts';

export interface OpenDeps {
  readonly ask: Ask;
  readonly log: Log;
  readonly retryMs: number;
  readonly lobbyMs: number;
  readonly peopleLobbyMs: number;
  /** Aborted when the service closes. */
  readonly closing: AbortSignal;
}

/**
 * Opens the table of a set, waiting as long as there is no room for it.
 * @throws Refused for another reason than want of room
 */
export async function openTable(deps: OpenDeps, set: string, terms: ServerTerms, agents: readonly SeatedAgent[]): Promise<void> {
  const opening = openingOf(set, terms, agents, terms.people ? deps.peopleLobbyMs : deps.lobbyMs);
  await whenPossible(deps, set, ['limited'], () => deps.ask('table.open', set, opening, requestId(set, 'open')));
}

/** Takes the seats of the agents. */
export async function takeSeats(
  deps: OpenDeps,
  set: string,
  { division, players }: ServerTerms,
  agents: readonly SeatedAgent[],
): Promise<void> {
  const names = namesOf(set, division, players);
  for (const { seat } of agents) {
    let reason: string | undefined = 'name-taken';
    // A person may have taken the name. Then a name of this set is left: people bring their own.
    for (const name of [names[seat]!, ...names.toSpliced(seat, 1)]) {
      const join = () => deps.ask('table.join', set, { seat, name }, requestId(set, 'join', seat, ...(name === names[seat] ? [] : [name])));
      reason = await refusalOf(() => whenPossible(deps, set, ['paused'], join));
      if (reason !== 'name-taken') break;
    }
    // The Lobby was over before, and a mind was given the seat. Once only: a mind that gets the seat later keeps it.
    if (reason === 'already-begun' || reason === 'already-seated')
      await refusalOf(() => deps.ask('table.hand', set, { seat, to: 'person' }, requestId(set, 'take', seat)));
    else if (reason !== undefined) deps.log.error({ set, seat, reason }, 'an agent could not take its seat');
  }
}

/** Tries again while it is refused for one of these reasons. @throws Refused for another one */
async function whenPossible<T>(
  { log, retryMs, closing }: OpenDeps,
  set: string,
  waits: readonly string[],
  request: () => Promise<T>,
): Promise<T> {
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!(error instanceof Refused) || !waits.includes(error.reason)) throw error;
      log.warn({ set, reason: error.reason, detail: error.detail }, 'the table of a set was refused for now; trying again');
      await sleep(error.waitMs ?? retryMs, undefined, { signal: closing });
    }
  }
}

async function refusalOf(request: () => Promise<unknown>): Promise<string | undefined> {
  try {
    await request();
    return undefined;
  } catch (error) {
    if (error instanceof Refused) return error.reason;
    throw error;
  }
}
