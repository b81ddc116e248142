import { z } from 'zod';
import { command } from '../contract.ts';
import { playerName, seat } from './schemas.ts';
import { tableOpening } from './table-opening.ts';

const seated = z.object({
  seat,
  name: playerName.meta({ description: 'What the agent tells as its name, or that without a number at its end.' }),
});
const names = z.array(playerName);

/** Messages about outside agents, to their servers. */
export const agentContracts = [
  command('agents.open', {
    summary:
      'Opens a table with outside agents at some of its seats, once all of them are connected and at no other table. The subject is its id, chosen by the sender; a repeated request opens one table.',
    from: ['contest'],
    to: ['aiwolf'],
    data: z.object({
      opening: tableOpening.meta({
        description: 'The table, as `table.open` has it. Names of its seats and times of its steps follow from the server.',
      }),
      agents: z.array(seated).min(1).max(100).meta({ description: 'Who sits at the seats of outside agents.' }),
    }),
    example: {
      opening: {
        rules: 'aiwolf',
        seats: [
          { kind: 'person', isOutside: true },
          { kind: 'mind', recipe: 'rules' },
        ],
        rounds: 100,
        options: {},
        seed: 'x',
        lobbyMs: 60_000,
        pauseMs: 0,
        spectators: 'audience',
        afterwards: 'nobody',
        insight: 'never',
      },
      agents: [{ seat: 0, name: 'fox' }],
    },
    reply: z.object({
      missing: names.meta({ description: 'Agents that are not connected. With any, or any busy ones, there is no table yet: ask again.' }),
      busy: names.meta({ description: 'Agents that sit at other tables.' }),
      awayMs: z.int().nonnegative().meta({ description: 'How long the server waits for an agent that is away, in milliseconds.' }),
    }),
    replyExample: { missing: ['fox'], busy: [], awayMs: 60_000 },
  }),
  command('agents.faults', {
    performative: 'query-ref',
    summary: 'Returns what outside agents of a table that is over did wrong there.',
    from: ['contest'],
    to: ['aiwolf'],
    data: z.object({}),
    example: {},
    reply: z.object({
      faults: z
        .array(
          z.object({
            seat,
            fault: z.string().meta({ description: 'late, gone, empty and others (docs/aiwolf.md).' }),
            times: z.int().positive().meta({ description: 'How often.' }),
          }),
        )
        .meta({ description: 'Its faults by seat.' }),
      gone: z.array(seat).meta({ description: 'The seats whose agents were away for so long that the table was ended.' }),
    }),
    replyExample: { faults: [{ seat: 0, fault: 'late', times: 2 }], gone: [] },
  }),
  command('agents.servers', {
    performative: 'query-ref',
    summary: 'Lists the servers whose agents play in contests.',
    from: ['contest'],
    to: ['aiwolf'],
    data: z.object({}),
    example: {},
    reply: z.object({
      servers: z
        .array(
          z.object({
            division: z.enum(['protocol', 'natural']).meta({ description: 'Whose protocol it speaks.' }),
            url: z.string().meta({ description: 'Where agents connect.' }),
          }),
        )
        .meta({ description: 'Their addresses.' }),
    }),
    replyExample: { servers: [{ division: 'protocol', url: 'tcp://127.0.0.1:10000' }] },
  }),
] as const;
