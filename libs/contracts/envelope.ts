import { z } from 'zod';

/** CloudEvents 1.0 in JSON with a few extension attributes, so that nobody has to learn ours. */
export const envelope = z.object({
  specversion: z.literal('1.0'),
  id: z.string().min(1).max(200),
  source: z.string().min(1).max(100).meta({ description: 'The service that says it.' }),
  type: z.string().min(1).max(100),
  subject: z.string().min(1).max(200).meta({ description: 'The table it is about; `-` when it is about none.' }),
  time: z.iso.datetime(),
  datacontenttype: z.literal('application/json').optional(),
  dataversion: z.int().positive().meta({ description: 'The version of the contract that `data` was written under.' }),
  performative: z
    .enum(['request', 'inform', 'query-ref', 'agree', 'refuse', 'failure'])
    .meta({ description: 'The FIPA communicative act.' }),
  causeid: z.string().max(200).optional().meta({ description: 'The message this one answers or follows from.' }),
  replyby: z.iso.datetime().optional().meta({ description: 'After this nobody waits for the answer.' }),
  sequence: z.int().nonnegative().optional().meta({ description: 'The place in the tape that it follows from.' }),
});

export type Envelope = Readonly<z.output<typeof envelope>>;

/** Why something was refused or failed. */
export const refusal = z.object({
  reason: z.string().min(1).max(60).meta({ description: 'A code, the same for everybody: `not-an-option`.' }),
  detail: z.string().max(2000).optional().meta({ description: 'What, where, and what to do instead; for people.' }),
  waitMs: z.int().min(0).optional().meta({
    description: 'After how many milliseconds the same may be asked again with a prospect; absent: waiting does not help, or nobody knows.',
  }),
});
