import type { Message } from '@maw/contracts/contracts.ts';
import type { Reply } from '@maw/contracts/registry.ts';
import { metrics } from '@maw/telemetry/metrics.ts';
import type { Backlog } from '../admission/backlog.ts';
import { type CommandContext, decide } from './decide.ts';

/** Ends what is due at a table. A tick with nothing due changes nothing. */
export const tick = (context: CommandContext, message: Message<'table.tick'>, backlog: Backlog): Promise<Reply | void> =>
  decide(
    context,
    message,
    ({ state: { game, standing } }, at) => {
      const events = game.tick(standing, at, standing.game.opening.seed);
      if (events.length) {
        const lateMs = Math.max(0, at - message.data.alarm);
        metrics.alarmsLate.observe({ service: 'gamemaster' }, lateMs / 1000);
        backlog.saw('alarms', lateMs, at);
      }
      return events;
    },
    () => undefined,
  );
