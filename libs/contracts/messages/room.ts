import { z } from 'zod';
import { command, event } from '../contract.ts';
import { instant, line, place, seat, text } from './schemas.ts';

const room = place.meta({ description: 'Phase and name: `round-1/day-1/Village`. Every opening has its own log.' });

/** Messages to and from the chatroom. */
export const roomContracts = [
  command('room.open', {
    summary: 'A room opens, or its deadline moves. An upsert: the sequence on the tape decides which message is newer.',
    from: ['gamemaster'],
    to: ['chatroom'],
    data: z.object({
      room,
      question: place,
      name: z.string().max(100),
      members: z.array(seat).meta({ description: 'The seats that may read.' }),
      speakers: z.array(seat).meta({ description: 'The seats that may speak.' }),
      minds: z.array(seat).optional().meta({
        description: 'The members that minds play: the only ones for whom the player service may ask.',
      }),
      maxChars: z.int().positive(),
      until: instant,
      opened: z.int().positive().meta({ description: 'The sequence number on the tape.' }),
    }),
    example: {
      room: 'round-1/day-1/Village',
      question: 'round-1/day-1/talk',
      name: 'Village',
      members: [0, 1, 2],
      speakers: [0, 1],
      minds: [1, 2],
      maxChars: 500,
      until: 1_767_225_600_000,
      opened: 12,
    },
  }),
  command('room.close', {
    summary: 'A room closes. It refuses further messages, and its log is archived once it is complete.',
    from: ['gamemaster'],
    to: ['chatroom'],
    data: z.object({
      room,
      closed: z.int().positive().meta({ description: 'The sequence number on the tape.' }),
      lines: z.int().nonnegative().meta({ description: 'The total number of lines.' }),
    }),
    example: { room: 'round-1/day-1/Village', closed: 40, lines: 9 },
  }),
  event('room.said', {
    summary: 'A line was written to the tape: speech, an announced vote, or an announcement.',
    from: ['gamemaster'],
    to: ['chatroom'],
    data: z.object({
      room,
      ...line.shape,
      to: seat.optional().meta({ description: 'The recipient of a private line.' }),
      isPublic: z.literal(true).optional().meta({ description: 'Everybody may read the room, the audience included.' }),
      isAnnounced: z
        .literal(true)
        .optional()
        .meta({ description: 'A `table.moved` carries the line, so that no `room.line` need follow.' }),
    }),
    example: { room: 'round-1/day-1/Village', line: 3, by: 0, text: 'I am a villager.', at: 1_767_225_600_000 },
  }),
  command('room.speak', {
    summary: 'Speaks in a room. Valid speech is forwarded to the gamemaster, who replies directly.',
    from: ['player', 'web'],
    to: ['chatroom'],
    forwardedAs: 'table.act',
    data: z.object({ room, seat, text }),
    example: { room: 'round-1/day-1/Village', seat: 0, text: 'I am a villager.' },
    reply: z.object({ at: instant, line: z.int().positive().optional(), room: z.string().optional() }),
    replyExample: { at: 1_767_225_600_000, line: 3, room: 'round-1/day-1/Village' },
  }),
  command('room.read', {
    performative: 'query-ref',
    summary: 'Returns the lines after the last one read, up to the first gap. Lines that all members have read are purged.',
    from: ['player', 'web'],
    to: ['chatroom'],
    data: z.object({
      room,
      seat,
      after: z.int().nonnegative().default(0),
      limit: z.int().min(1).max(1000).default(200),
    }),
    example: { room: 'round-1/day-1/Village', seat: 0, after: 2, limit: 200 },
    reply: z.object({
      lines: z.array(line),
      isOpen: z.boolean(),
      last: z.int().nonnegative().meta({ description: 'The last readable line.' }),
    }),
    replyExample: { lines: [{ line: 3, by: 1, text: 'So am I.', at: 1_767_225_600_000 }], isOpen: true, last: 3 },
  }),
  command('room.who', {
    performative: 'query-ref',
    summary: 'Lists the members of a room. It does not tell when they last read, which would reveal who is a mind.',
    from: ['player', 'web'],
    to: ['chatroom'],
    data: z.object({ room, seat }),
    example: { room: 'round-1/day-1/Village', seat: 0 },
    reply: z.object({
      isOpen: z.boolean(),
      members: z.array(z.object({ seat, maySpeak: z.boolean().meta({ description: 'Whether the seat may speak.' }) })),
    }),
    replyExample: { isOpen: true, members: [{ seat: 0, maySpeak: true }] },
  }),
  event('room.line', {
    summary: 'Broadcast: a room has a new line. The line itself rides along where everybody may read the room, the audience included.',
    from: ['chatroom'],
    to: ['web', 'player', 'aiwolf'],
    data: z.object({
      room,
      line: z.int().positive(),
      said: line.optional().meta({ description: 'The line; only of a room that everybody may read, the audience included.' }),
    }),
    example: {
      room: 'round-1/day-1/Village',
      line: 3,
      said: { line: 3, by: 0, text: 'I am a villager.', at: 1_767_225_600_000 },
    },
  }),
] as const;
