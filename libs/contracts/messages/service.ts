import { z } from 'zod';
import { event } from '../contract.ts';

/** Messages about the services themselves. */
export const serviceContracts = [
  event('service.alive', {
    summary:
      'Broadcast: a process runs and consumes its queue. Sent four times a second, by gamemasters once; the broker notices a suspended consumer only after seconds.',
    from: ['player', 'chatroom', 'gamemaster'],
    to: ['gamemaster'],
    data: z.object({
      replica: z.string().min(1).max(100).meta({ description: 'The process; the same until it ends.' }),
      recipes: z.array(z.string().min(1).max(60)).max(1_000).optional().meta({
        description: 'The recipes that a player knows; those of RECIPES_DIR too. A table with a seat of another one is not opened.',
      }),
    }),
    example: { replica: '5b2a7c0e-0d0c-4f5e-9a51-6f6c1b8e2d11', recipes: ['random', 'rules', 'xu'] },
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
