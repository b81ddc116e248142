import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Backlog } from '../admission/backlog.ts';
import { type CommandContext, decide } from './decide.ts';

/** Replicas agree on the time to within a round trip to the database, so a tick may come this early, in milliseconds. */
const MAX_EARLY_MS = 1_000;

/** Ends what is due at a table. A tick with nothing due changes nothing; one that is a little early waits. */
export async function tick(context: CommandContext, message: Message<'table.tick'>, backlog: Backlog): Promise<Reply | void> {
  const earlyMs = message.data.alarm - context.now();
  if (earlyMs > 0 && earlyMs <= MAX_EARLY_MS) await context.sleep(earlyMs);
  return decide(
    context,
    message,
    ({ state: { game, standing } }, at) => {
      const events = game.tick(standing, at, standing.game.opening.seed);
      if (events.length) {
        const lateMs = Math.max(0, at - (game.wake(standing) ?? at)); // the alarm of an outage's tick is the end of the outage
        metrics.alarmsLate.observe({ service: 'gamemaster' }, lateMs / 1000);
        backlog.saw('alarms', lateMs, at);
      }
      return events;
    },
    () => undefined,
  );
}
