import { z } from 'zod';
import { event } from '../contract.ts';

/** Messages about the services themselves. */
export const serviceContracts = [
  event('service.alive', {
    summary:
      'Broadcast: a process runs and consumes its queue. Sent four times a second; the broker notices a suspended consumer only after seconds.',
    from: ['player', 'chatroom'],
    to: ['gamemaster'],
    data: z.object({
      replica: z.string().min(1).max(100).meta({ description: 'The process; the same until it ends.' }),
    }),
    example: { replica: '5b2a7c0e-0d0c-4f5e-9a51-6f6c1b8e2d11' },
  }),
  event('tape.failed', {
    summary:
      'Broadcast among gamemasters: an append failed for another reason than a conflict. Nobody beats until an append was found to work.',
    from: ['gamemaster'],
    to: ['gamemaster'],
    data: z.object({}),
    example: {},
  }),
] as const;
